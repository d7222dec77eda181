import Graft

/// `graft model`: prints a model as it was understood.
enum ModelCommand {
  static func run(_ arguments: [String]) throws -> ExitStatus {
    var reader = ArgumentReader(
      arguments, command: "graft model", options: ["--model", "--dialect", "--help", "-h"])
    var path: String?
    var dialect: Dialect?
    while let argument = try reader.next() {
      switch argument {
      case .option("--model"): path = try reader.value(of: "--model", "PATH")
      case .option("--dialect"): dialect = try DialectChoice.read(&reader)
      case .option:
        try Console.print(Help.model)
        return .success
      case .operand(let operand):
        throw UsageError("unexpected \"\(operand)\"; a model is given as --model PATH")
      }
    }
    guard let path else { throw UsageError("which model? give --model PATH") }
    let model = try ModelFile.read(
      path, dialect: dialect, extensions: ModelExtensions(toleratesMissing: true))
    try Console.print(model.summary)
    return .success
  }
}
