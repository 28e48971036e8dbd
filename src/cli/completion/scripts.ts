/** The shells that there are scripts for. */
export const SHELLS: readonly string[] = ["bash", "zsh", "fish"];

/**
 * The script of a shell. All of them ask `handler __complete WORD...`, whose last word is the one at the cursor; it
 * prints a candidate a line, with its meaning behind a tab, or `:file` and `:folder` for what the shell knows best.
 */
export function completionScript(shell: string): string | undefined {
  return { bash: BASH, zsh: ZSH, fish: FISH }[shell];
}

/**
 * bash cuts words at `=` and `:` too, so they are put together again by what stands between them, and of a candidate only
 * the part is given that bash is to put in the place of its own last piece. It goes with the bash 3.2 of macOS.
 */
const BASH = `# bash completion of handler
_handler() {
  local line part at last=-1 rest="$COMP_LINE" piece="\${COMP_WORDS[COMP_CWORD]}" gone
  local words=()
  for ((at = 0; at <= COMP_CWORD; at++)); do
    part="\${COMP_WORDS[at]}"
    if ((last >= 0)) && [[ "$rest" != [[:space:]]* ]]; then
      words[last]="\${words[last]}$part"
    else
      words[++last]="$part"
    fi
    rest="\${rest#"\${rest%%[![:space:]]*}"}"
    rest="\${rest#"$part"}"
  done
  case "$piece" in [=:]) piece= ;; esac
  gone="\${words[last]%"$piece"}"
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :file) while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$piece")
        compopt -o filenames 2>/dev/null ;;
      :folder) while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$piece")
        compopt -o filenames 2>/dev/null ;;
      *) line="\${line%%$'\\t'*}"
        COMPREPLY+=("\${line#"$gone"}") ;;
    esac
  done < <(handler __complete "\${words[@]:1}" 2>/dev/null)
}
complete -F _handler handler
`;

const ZSH = `#compdef handler
_handler() {
  local line word
  local -a found
  while IFS= read -r line; do
    word="\${\${line%%$'\\t'*}//:/\\\\:}"
    case "$line" in
      :file) compset -P '--*='; _files; return ;;
      :folder) compset -P '--*='; _files -/; return ;;
      *$'\\t'*) found+=("$word:\${line#*$'\\t'}") ;;
      *) found+=("$word") ;;
    esac
  done < <(handler __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe handler found
}
if [ "$funcstack[1]" = _handler ]; then _handler "$@"; else compdef _handler handler; fi
`;

const FISH = `# fish completion of handler
function __handler_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l option (string match -r '^--[^=]*=' -- $words[-1]; or echo)
  set -l path (string replace -r '^--[^=]*=' '' -- $words[-1])
  for line in (handler __complete $words[2..-1] 2>/dev/null)
    switch $line
      case ':file'
        __fish_complete_path "$path" | string replace -r -- '^' "$option"
      case ':folder'
        __fish_complete_directories "$path" | string replace -r -- '^' "$option"
      case '*'
        echo $line
    end
  end
end
complete -c handler -f -a '(__handler_complete)'
`;
