import CommandLineSupport
import Foundation
import Graft
import GraftDatabase

/// `graft model`: prints a model, with everything that defaults and dialect add to it.
enum ModelCommand {
  static func run(_ arguments: [String]) throws -> ExitStatus {
    var reader = ArgumentReader(
      arguments, command: "graft model",
      options: ["--model", "--dialect", "--output", "--to", "--help", "-h"])
    var path: String?
    var form: ModelOutput.Form?
    var target: String?
    var dialect: Dialect?
    while let argument = try reader.next() {
      switch argument {
      case .option("--model"): path = try reader.value(of: "--model", "PATH")
      case .option("--dialect"): dialect = try DialectChoice.read(&reader)
      case .option("--output"):
        form = try ModelOutput.Form.read(&reader)
      case .option("--to"): target = try reader.value(of: "--to", "PATH")
      case .option:
        try Console.print(Help.model)
        return .success
      case .operand(let operand):
        guard path == nil else {
          throw UsageError(
            "unexpected \"\(operand)\"; one model is printed, and there is one already")
        }
        path = operand
      }
    }
    guard let path else { throw UsageError("which model? give --model PATH") }
    if target != nil, form == nil {
      throw UsageError(
        "--to writes a form of the model to a file; say which with --output, such as --output schema"
      )
    }
    try OutputPath.check(target, of: "--to", besides: [path])
    let model = try ModelFile.read(
      path, dialect: dialect, extensions: ModelExtensions(toleratesMissing: true))
    if let form {
      try ModelOutput(form, path: target).print(model)
    } else {
      try Console.print(model.summary)
    }
    return .success
  }
}
