import Graft
import GraftExport
import GraftInference

/// A shell for which there are completions.
enum CompletionShell: String, CaseIterable {
  case bash
  case zsh
  case fish
}

/// Makes the completions of `graft` from the help texts.
enum Completions {
  /// Returns the script of a shell, which the shell loads.
  static func script(for shell: CompletionShell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// Returns the options of a command; those of `export` are in the help of `import` too.
  static func options(of command: Subcommand) -> [HelpPage.Entry] {
    let help = HelpPage.Entry(names: ["--help", "-h"], text: "the command's options")
    let own = HelpPage(command.help).options + [help]
    guard command == .export else { return own }
    let names = Set(own.flatMap(\.names))
    return own + HelpPage(Help.import).options.filter { names.isDisjoint(with: $0.names) }
  }

  /// The commands, with their descriptions.
  private static var commands: [HelpPage.Entry] {
    HelpPage(Help.overall).entries.filter { !$0.names[0].hasPrefix("-") }
  }

  /// Names the values that may follow an option.
  private enum Value {
    case none
    case choice([String])
    case file
    case text
  }

  private static func value(of option: HelpPage.Entry, _ command: Subcommand) -> Value {
    guard let form = option.value else { return .none }
    let names = choices(of: option.names[0], command)
    if !names.isEmpty { return .choice(names) }
    // `--at` takes a path in a document.
    let isFile = ["PATH", "FILE", "MODEL", "DATABASE"].contains(form) && option.names[0] != "--at"
    return isFile ? .file : .text
  }

  /// Returns the values of an option that has a choice of them.
  static func choices(of option: String, _ command: Subcommand) -> [String] {
    func names<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> [String] {
      Choice.allCases.map(\.rawValue)
    }
    return switch option {
    case "--dialect": ["auto"] + names(Dialect.self)
    case "--engine": names(ParserOptions.Engine.self)
    case "--format": names(FormatChoice.self)
    case "--mode": names(ImportOptions.Mode.self)
    case "--on-error": names(ImportOptions.ErrorPolicy.self)
    case "--on-broken-line": names(ImportOptions.BrokenLinePolicy.self)
    case "--unknown-keys": names(ImportOptions.UnknownKeyPolicy.self)
    case "--reference": names(ReferencePolicy.self)
    case "--relationships": names(ExportStyle.self)
    case "--repeats": names(ExportOptions.RepeatPolicy.self)
    case "--certainty": ["certain", "likely", "guess"]
    case "--output":
      switch command {
      case .import: names(OutputChoice.self)
      case .query: names(QueryCommand.Output.self)
      case .infer: names(ModelOutput.Form.self)
      case .model: ["summary"] + names(ModelOutput.Form.self).filter { $0 != "html" }
      case .export, .check: []
      }
    default: []
    }
  }
}

// The scripts.
extension Completions {
  private static let first = "# Made by graft: graft --completions"

  private static var bash: String {
    var lines = [
      "\(first) bash", "_graft() {",
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=",
      "  if ((COMP_CWORD == 1)); then",
      "    words='\(commands.map { $0.names[0] }.joined(separator: " ")) --help --version'",
      "  else", "    case \"$command $before\" in",
    ]
    for command in Subcommand.allCases {
      var texts: [String] = []
      for option in options(of: command) {
        switch value(of: option, command) {
        case .choice(let names):
          lines.append(
            "      '\(command.rawValue) \(option.names[0])') words='\(names.joined(separator: " "))' ;;"
          )
        case .file:
          lines.append("      '\(command.rawValue) \(option.names[0])') COMPREPLY=(); return ;;")
        case .text: texts.append("'\(command.rawValue) \(option.names[0])'")
        case .none: break
        }
      }
      if !texts.isEmpty {
        lines.append("      \(texts.joined(separator: "|"))) COMPREPLY=(); return ;;")
      }
    }
    lines += [
      "      *)", "        [[ $word == -* ]] || { COMPREPLY=(); return; }",
      "        case $command in",
    ]
    for command in Subcommand.allCases {
      let names = options(of: command).flatMap(\.names).joined(separator: " ")
      lines.append("          \(command.rawValue)) words='\(names)' ;;")
    }
    lines += [
      "        esac ;;", "    esac", "  fi",
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))",
      "}", "# Files, where there is nothing else.", "complete -o default -F _graft graft",
    ]
    return lines.joined(separator: "\n")
  }

  private static var zsh: String {
    /// Quotes a text for a specification between single quotes.
    func quoted(_ text: String) -> String {
      text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
        .replacing(":", with: "\\:").replacing("'", with: "'\\''")
    }
    var lines = ["#compdef graft", "\(first) zsh", "_graft() {", "  local -a commands=("]
    lines += commands.map { "    '\($0.names[0]):\(quoted($0.summary))'" }
    lines += [
      "  )", "  if ((CURRENT == 2)); then", "    _describe command commands",
      "    _arguments '--help[the commands]' '--version[the version]'", "    return", "  fi",
      "  shift words", "  ((CURRENT--))", "  case $words[1] in",
    ]
    for command in Subcommand.allCases {
      lines.append("    \(command.rawValue)) _arguments \\")
      for option in options(of: command) {
        for name in option.names {
          let text = quoted(option.summary)
          let form = quoted(option.value ?? "")
          switch value(of: option, command) {
          case .none: lines.append("      '*\(name)[\(text)]' \\")
          case .choice(let names):
            lines.append("      '*\(name)=[\(text)]:\(form):(\(names.joined(separator: " ")))' \\")
          case .file: lines.append("      '*\(name)=[\(text)]:\(form):_files' \\")
          case .text: lines.append("      '*\(name)=[\(text)]:\(form): ' \\")
          }
        }
      }
      lines.append("      '*:file:_files' ;;")
    }
    lines += [
      "  esac", "}",
      "if [[ $funcstack[1] == _graft ]]; then _graft \"$@\"; else compdef _graft graft; fi",
    ]
    return lines.joined(separator: "\n")
  }

  private static var fish: String {
    func quoted(_ text: String) -> String {
      "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
    var lines = ["\(first) fish"]
    for entry in commands {
      lines.append(
        "complete -c graft -f -n __fish_use_subcommand -a \(entry.names[0]) -d \(quoted(entry.summary))"
      )
    }
    lines.append("complete -c graft -n __fish_use_subcommand -l help -d 'the commands'")
    lines.append("complete -c graft -n __fish_use_subcommand -l version -d 'the version'")
    for command in Subcommand.allCases {
      for option in options(of: command) {
        let names = option.names.map { name in
          name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())"
        }
        let form =
          switch value(of: option, command) {
          case .none: ""
          case .choice(let names): " -x -a \(quoted(names.joined(separator: " ")))"
          case .file: " -r -F"
          case .text: " -x"
          }
        lines.append(
          "complete -c graft -n '__fish_seen_subcommand_from \(command.rawValue)' \(names.joined(separator: " "))\(form)"
            + " -d \(quoted(option.summary))")
      }
    }
    return lines.joined(separator: "\n")
  }
}
