import Foundation
import Graft

/// The mapping that an import was given.
enum MappingFile {
  /// Reads a mapping and makes sure that the model has what it names.
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
