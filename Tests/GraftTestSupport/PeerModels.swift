import Foundation
import Testing

@testable import Graft

/// The model files of other importers, which lie beside the package where they are at hand.
enum PeerModels {
  static let folder = SourceTree.root.appending(path: "../shared/peers").standardizedFileURL
  static let isPresent = FileManager.default.fileExists(atPath: folder.path)
  static let absence: Comment = "the other importers' files are not beside the package"

  /// A model, read as `graft model` reads it.
  static func model(_ path: String, dialect: Dialect? = nil) throws -> GraphModel {
    try GraphModel(
      contentsOf: folder.appending(path: path), dialect: dialect,
      extensions: ModelExtensions(toleratesMissing: true))
  }
}
