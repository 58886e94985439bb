import ArgumentParser

/// The parser's completion script of a shell, with what the parser lacks: aliases of commands, and
/// the words after `exec --`, which are a command line of their own.
struct CompletionScript {
  let text: String

  /// - Parameters:
  ///   - generated: The parser's script.
  ///   - shell: `bash`, `zsh` or `fish`. For another shell, the script stays as it is.
  ///   - aliases: The name of the command for each alias.
  init(_ generated: String, shell: String, aliases: [String: String]) {
    let aliases = aliases.sorted { $0.key < $1.key }
    text =
      switch shell {
      case "bash": Self.entering(generated, Self.bash(aliases)) + "\n" + Self.bashFunction
      case "zsh": Self.entering(generated, Self.zsh(aliases))
      case "fish": Self.fish(generated, aliases)
      default: generated
      }
  }

  /// The shell for which the arguments request a script; nil if they request none.
  static func requestedShell(_ arguments: [String]) -> String? {
    let option = "--generate-completion-script"
    // The words after `---completion` are those of a line that is completed.
    guard arguments.dropFirst().first != "---completion",
      let index = arguments.firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") })
    else { return nil }
    let value =
      arguments[index] == option
      ? arguments[(index + 1)...].first : String(arguments[index].dropFirst(option.count + 1))
    // Without a name, the parser generates the script of the user's shell.
    return value ?? CompletionShell.autodetected()?.rawValue ?? ""
  }

  /// The aliases of a program's commands, each with the name of its command.
  static func aliases(of program: any ParsableCommand.Type) -> [String: String] {
    var result: [String: String] = [:]
    for command in program.configuration.subcommands {
      for alias in command.configuration.aliases { result[alias] = command.configuration.commandName }
    }
    return result
  }

  /// Inserts `lines` at the start of the script's main function.
  private static func entering(_ script: String, _ lines: String) -> String {
    let opening = "\n_ritualctl() {\n"
    guard let place = script.firstRange(of: opening) else { return script }
    return script[..<place.upperBound] + lines + "\n" + script[place.upperBound...]
  }

  // MARK: - bash

  private static func bash(_ aliases: [(key: String, value: String)]) -> String {
    """
        case "${COMP_WORDS[1]-}" in
    \(aliases.map { "    \($0)) COMP_WORDS[1]=\($1) ;;\n" }.joined())\
        exec) _ritualctl_after_terminator "${2}" && return ;;
        esac
    """
  }

  /// bash-completion, if it is loaded, completes a command by its own rules.
  private static let bashFunction = """
    _ritualctl_after_terminator() {
        local -i index
        for ((index = 2; index < COMP_CWORD; index++)); do
            [[ "${COMP_WORDS[index]}" = -- ]] && break
        done
        ((index < COMP_CWORD)) || return 1
        ((++index))
        if declare -F _comp_command_offset >/dev/null; then
            _comp_command_offset "${index}"
        elif declare -F _command_offset >/dev/null; then
            _command_offset "${index}"
        else
            local action=-f word
            ((index == COMP_CWORD)) && action=-c
            while IFS='' read -r word; do
                COMPREPLY+=("${word}")
            done < <(compgen "${action}" -- "${1}")
        fi
        return 0
    }
    """

  // MARK: - zsh

  private static func zsh(_ aliases: [(key: String, value: String)]) -> String {
    """
        case "${words[2]}" in
    \(aliases.map { "    (\($0)) words[2]=\($1) ;;\n" }.joined())\
        (exec)
            local -i terminator="${words[(i)--]}"
            if ((terminator < CURRENT)); then
                shift "${terminator}" words
                ((CURRENT -= terminator))
                _normal
                return
            fi
            ;;
        esac
    """
  }

  // MARK: - fish

  /// Also replaces the position of the cursor in the word, which no candidate depends on: fish 3 only
  /// reports it interactively.
  private static func fish(_ script: String, _ aliases: [(key: String, value: String)]) -> String {
    let tokens = "    set -l unparsed_tokens (__ritualctl_tokens -pc)\n"
    guard let place = script.firstRange(of: tokens) else { return script }
    let renamed = aliases.map { "        case \($0)\n            set unparsed_tokens[2] \($1)\n" }.joined()
    let cases = aliases.isEmpty ? "" : "    switch \"$unparsed_tokens[2]\"\n\(renamed)    end\n"
    let rest = script[place.upperBound...].replacing("(__ritualctl_tokens -tC)", with: "0")
    return script[..<place.upperBound] + cases + rest + """

      function __ritualctl_is_after_terminator
          set -l tokens (__ritualctl_tokens -pc)
          test "$tokens[2]" = exec; and contains -- -- $tokens[3..]
      end
      function __ritualctl_complete_command
          set -l tokens (__ritualctl_tokens -pc)
          set -l index (contains -i -- -- $tokens)
          set -l words (string escape -- $tokens[(math $index + 1)..])
          complete -C (string join -- ' ' $words (commandline -t))
      end
      complete -c ritualctl -n __ritualctl_is_after_terminator -fa '(__ritualctl_complete_command)'
      """
  }
}
