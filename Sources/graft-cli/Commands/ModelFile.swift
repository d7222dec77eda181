import Foundation
import Graft

/// The model that a command was given.
enum ModelFile {
  /// Reads a model.
  ///
  /// - Throws: `ModelError` if it is none or is wrong, ``FileError`` if it cannot be read.
  static func read(
    _ path: String, dialect: Dialect?, extensions: ModelExtensions
  ) throws -> GraphModel {
    do {
      return try GraphModel(
        contentsOf: URL(fileURLWithPath: path), dialect: dialect, extensions: extensions)
    } catch let error as ModelError {
      throw error
    } catch {
      guard FileManager.default.fileExists(atPath: path) else {
        throw FileError(file: path, error: MissingFile())
      }
      throw FileError(file: path, error: error)
    }
  }
}

private struct MissingFile: LocalizedError {
  var errorDescription: String? { "No such file or directory" }
}
