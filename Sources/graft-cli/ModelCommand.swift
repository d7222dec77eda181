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

/// Reads the model that a command was given.
enum ModelFile {
  /// Reads a model.
  ///
  /// - Throws: `ModelError` if it is none or is wrong, ``FileError`` if it cannot be read.
  static func read(
    _ path: String, dialect: Dialect?, extensions: ModelExtensions
  ) throws -> GraphModel {
    if ChosenTarget.isDatabase(path) {
      return try read(
        ChosenTarget.open(path).model, dialect: dialect, extensions: extensions)
    }
    do {
      return try GraphModel(
        contentsOf: URL(fileURLWithPath: path), dialect: dialect, extensions: extensions)
    } catch let error as ModelError {
      throw error
    } catch {
      throw FileError(unreadable: path, error)
    }
  }

  /// Returns the model of a database with the dialect and the extensions that a command was given.
  ///
  /// - Throws: `ModelError` if it mentions code that the command was not given.
  static func read(
    _ stored: GraphModel, dialect: Dialect?, extensions: ModelExtensions
  ) throws -> GraphModel {
    try GraphModel(
      entities: stored.entities, dialect: dialect ?? stored.dialect, extensions: extensions)
  }
}

extension FileError {
  /// Creates the error for an unreadable file, with a simpler message if there is no file.
  init(unreadable path: String, _ error: any Error) {
    let isThere = FileManager.default.fileExists(atPath: path)
    self.init(file: path, error: isThere ? error : MissingFile())
  }
}

private struct MissingFile: LocalizedError {
  var errorDescription: String? { "No such file or directory" }
}

/// Reads the mapping that an import was given.
enum MappingFile {
  /// Reads a mapping, and checks that the model has its names.
  ///
  /// - Throws: `ModelError` if it is none or does not fit the model, ``FileError`` if it cannot be
  ///   read.
  static func read(
    _ path: String, model: GraphModel, extensions: ModelExtensions
  ) throws -> JSONMapping {
    do {
      let mapping = try JSONMapping(
        contentsOf: URL(fileURLWithPath: path), transformers: extensions.transformers)
      try mapping.validate(against: model)
      return mapping
    } catch let error as ModelError {
      throw error
    } catch {
      throw FileError(unreadable: path, error)
    }
  }
}
