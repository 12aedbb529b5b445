# Runs texts, each in a shell and a folder of its own, and says on stdout which commands they ran.
#
# $1: a file with the texts, a NUL after each.  $2: the folder with their folders.  $3: `run`, or `parse` to only read them.
# Says fields that end in NUL: `text` before each text; of each command `0` (or `1`, if a variable leads it elsewhere), the
# number of its words, and its words, a newline in them written as \x01; of each text that was only read `good` or `bad`;
# at the end `end`.

mapfile -t -d '' texts <"$1"
folders=$2
what=$3
exec 9>&1 >/dev/null 2>&1
ulimit -t 2 -f 1000 -c 0
cd "$folders" || exit

# No program can be started from here on: a string of the environment is longer than the kernel takes. How long that is
# depends on its pages; a short one is quicker to carry.
for length in 200000 3000000; do
    builtin printf -v armour "%${length}s" ''
    export armour
    "$BASH" -c 'exit 0'
    status=$?
    if [[ $status == 126 ]]; then break; fi
done
readonly armour
if [[ $status != 126 ]]; then
    builtin printf 'unsafe\0' >&9
    exit 1
fi

# What is no builtin and no program ends up here: that is every command. `cat` alone does what it should, `ff` fails.
command_not_found_handle() {
    if [[ $# == 1 && $1 == cat ]]; then
        IFS= read -r -d '' whole
        builtin printf '%s' "$whole"
        return 0
    fi
    [[ $PATH == /nonexistent && $IFS == $' \t\n' && -z ${BASH_ENV-}${LD_PRELOAD-} ]]
    builtin printf '%s\0' "$?" "$#" "${@//$'\n'/$'\x01'}" >&9
    [[ $1 != ff ]]
}
readonly -f command_not_found_handle
# A function that calls itself twice must not become a thousand processes.
declare -r FUNCNEST=6

mapfile -t builtins < <(compgen -b)
for name in "${builtins[@]}"; do
    case $name in
    break | builtin | cd | command | continue | enable | eval | exit | printf | read | return | set) ;;
    *) enable -n "$name" ;;
    esac
done

for index in "${!texts[@]}"; do
    builtin printf 'text\0' >&9
    if [[ $what == parse ]]; then
        # Each line is read when the one before was run: after `set -n` none is.
        if (eval -- "set -n"$'\n'"${texts[index]}") 9>&-; then
            builtin printf 'good\0' >&9
        else
            builtin printf 'bad\0' >&9
        fi
    else
        # Descriptor 8 goes to whatever the text leaves in the background: the substitution ends when all of it has.
        waited=$(
            cd "$folders/$index" || exit
            enable -n cd set enable
            eval -- "${texts[index]}" 8>&1 >/dev/null
        )
    fi
done
builtin printf 'end\0' >&9
