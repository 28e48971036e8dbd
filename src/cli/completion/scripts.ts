/** The shells that there are scripts for. */
export const SHELLS: readonly string[] = ["bash", "zsh", "fish"];

/**
 * The script of a shell. All of them ask `handler __complete WORD...`, whose last word is the one at the cursor; it
 * prints a candidate a line, with its meaning behind a tab, or `:file` and `:folder` for what the shell knows best.
 */
export function completionScript(shell: string): string | undefined {
  return { bash: BASH, zsh: ZSH, fish: FISH }[shell];
}

const BASH = `# bash completion of handler
_handler() {
  local line word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :file) mapfile -t COMPREPLY < <(compgen -f -- "$word"); compopt -o filenames 2>/dev/null ;;
      :folder) mapfile -t COMPREPLY < <(compgen -d -- "$word"); compopt -o filenames 2>/dev/null ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(handler __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _handler handler
`;

const ZSH = `#compdef handler
_handler() {
  local line
  local -a found
  while IFS= read -r line; do
    case "$line" in
      :file) _files; return ;;
      :folder) _files -/; return ;;
      *) found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done < <(handler __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe handler found
}
if [ "$funcstack[1]" = _handler ]; then _handler "$@"; else compdef _handler handler; fi
`;

const FISH = `# fish completion of handler
function __handler_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (handler __complete $words[2..-1] 2>/dev/null)
    switch $line
      case ':file'
        __fish_complete_path (commandline -ct)
      case ':folder'
        __fish_complete_directories (commandline -ct)
      case '*'
        echo $line
    end
  end
end
complete -c handler -f -a '(__handler_complete)'
`;
