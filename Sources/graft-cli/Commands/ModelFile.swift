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
      throw FileError(unreadable: path, error)
    }
  }
}

extension FileError {
  /// The error for a file that could not be read, which is simplest where there is none.
  init(unreadable path: String, _ error: any Error) {
    let isThere = FileManager.default.fileExists(atPath: path)
    self.init(file: path, error: isThere ? error : MissingFile())
  }
}

private struct MissingFile: LocalizedError {
  var errorDescription: String? { "No such file or directory" }
}
