#!/usr/bin/env python3
"""An agent in Python: it asks which file to look at and for what, and counts the lines that have it.

    tim run -k --backend examples/review.py 'look through a file'

Each line that it prints is one JSON object; each line that it reads is one from tim. See docs/agents.md.
"""
import json, os, sys


class Rejected(Exception):
    """The turn is over: the person said no, or nobody could say yes."""


def say(kind, **members):
    print(json.dumps({"type": kind, **members}), flush=True)


def hear():
    """The next line from tim; at the end of them the program ends."""
    return json.loads(sys.stdin.readline() or sys.exit(0))


def ask(request, prompt, input_type, choices=()):
    """Pauses until there is an answer to this very question."""
    say("input_request", requestId=request, prompt=prompt, input_type=input_type, choices=list(choices))
    while True:
        heard = hear()
        if heard["type"] == "input_response" and heard["requestId"] == request:
            if heard["response"] == "reject":
                raise Rejected(heard["outcome"])
            return heard["response"]


def turn(number):
    files = sorted(name for name in os.listdir(".") if os.path.isfile(name))[:20]
    if not files:
        return say("text_delta", text="There are no files here.\n")
    chosen = ask(f"file-{number}", "Which file?", "choice", files)["value"]
    words = ask(f"words-{number}", f"What shall I look for in {chosen}?", "text")
    say("tool_use_start", id=f"read-{number}", name="read", input={"file": chosen, "words": words})
    with open(chosen, encoding="utf-8", errors="replace") as file:
        found = [line.strip() for line in file if words in line]
    say("tool_result", id=f"read-{number}", output="\n".join(found[:5]) or "nothing", is_error=False)
    say("text_delta", text=f"{len(found)} lines of {chosen} have {words!r}.\n")
    say("usage", input_tokens=len(words), output_tokens=len(found))


number = 0
while True:
    if hear()["type"] == "user":  # anything else is a cancel for a turn that is over
        number += 1
        try:
            turn(number)
            say("done", ok=True)
        except (Rejected, OSError) as error:
            say("error", message=str(error))
            say("done", ok=False)
