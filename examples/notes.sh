#!/bin/sh
# An agent in plain shell: it looks at the folder and, if it may, writes the names of its files to NOTES.txt.
#   tim run --backend examples/notes.sh 'note what is here'
# Each line that it prints is one JSON object; each line that it reads is one from tim. See docs/agents.md.

say() { printf '%s\n' "$1"; }

# A text as JSON has it between its quotes.
escaped() { printf '%s' "$1" | tr '\n\t' '  ' | tr -d '\000-\037' | sed 's/\\/\\\\/g; s/"/\\"/g'; }

text() { say "{\"type\":\"text_delta\",\"text\":\"$(escaped "$1")\\n\"}"; }

# Asks for a yes or a no and waits for it.
approved() {
    say "{\"type\":\"input_request\",\"requestId\":\"$1\",\"prompt\":\"$(escaped "$2")\",\"input_type\":\"approval\",\"choices\":[\"Write it\",\"Leave it\"]}"
    while read -r line; do
        case $line in
            *'"type":"input_response","requestId":"'"$1"'","response":"approve"'*) return 0 ;;
            *'"type":"input_response"'*) return 1 ;;
        esac
    done
    exit 1 # tim is gone
}

turn=0
while read -r line; do
    case $line in
        *'"type":"user"'*) ;;
        *) continue ;; # a cancel for a turn that is over
    esac
    turn=$((turn + 1))

    say "{\"type\":\"tool_use_start\",\"id\":\"list-$turn\",\"name\":\"list\",\"input\":{\"folder\":\".\"}}"
    names=$(for file in *; do [ -f "$file" ] && [ "$file" != NOTES.txt ] && printf '%s\n' "$file"; done)
    count=$(printf '%s' "$names" | grep -c '')
    say "{\"type\":\"tool_result\",\"id\":\"list-$turn\",\"output\":\"$count files\",\"is_error\":false}"

    if approved "write-$turn" "Write the names of $count files to NOTES.txt?"; then
        printf '%s\n' "$names" > NOTES.txt
        text "NOTES.txt has $count names."
        say '{"type":"done","ok":true}'
    else
        # The turn is over for tim already; this says that it is over here too.
        say '{"type":"done","ok":false}'
    fi
done
