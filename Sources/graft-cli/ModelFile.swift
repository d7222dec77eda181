import Foundation
import Graft
import GraftDatabase

/// Reads the model that a command was given.
enum ModelFile {
  /// Reads a model.
  ///
  /// - Throws: `ModelError` if it is none or is wrong, ``FileError`` if it cannot be read.
  static func read(
    _ path: String, dialect: Dialect?, extensions: ModelExtensions
  ) throws -> GraphModel {
    if DatabaseFile.isDatabase(path) {
      return try read(
        DatabaseFile.open(path).model, dialect: dialect, extensions: extensions)
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
