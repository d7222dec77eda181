import Foundation
import Graft

/// A file to import: where its bytes come from, and where in it objects stand.
struct Input {
  enum Source {
    case standardInput
    case url(URL)
  }

  /// The file as messages name it.
  let name: String
  let source: Source
  let roots: [ImportRoot]
  var options: ImportOptions

  /// Finds out what an operand means.
  ///
  /// - Throws: ``UsageError`` if no entity is known for the file, or a path is none.
  init(
    _ file: ImportArguments.File, model: GraphModel, chunkSize: Int
  ) throws(UsageError) {
    if let split = RootSplit(file.operand, model: model) {
      (roots, name) = (split.roots, split.file)
    } else {
      if let error = RootSplit.complaint(about: file.operand, model: model) { throw error }
      (roots, name) = ([try Self.root(of: file, model: model)], file.operand)
    }
    source = Self.source(name)
    options = Self.options(file.settings, name: name, chunkSize: chunkSize)
  }

  private static func options(
    _ settings: ImportArguments.FileSettings, name: String, chunkSize: Int
  ) -> ImportOptions {
    var options = ImportOptions()
    options.parser.format = settings.format.format(ofFileNamed: name)
    options.chunkSize = chunkSize
    options.mode = settings.mode
    options.errorPolicy = settings.errorPolicy
    options.relationships.reference = settings.reference
    options.deletesMissing = settings.deletesMissing
    return options
  }

  private static func source(_ name: String) -> Source {
    if name == "-" { return .standardInput }
    if let url = URL(string: name), ["http", "https"].contains(url.scheme?.lowercased()) {
      return .url(url)
    }
    return .url(URL(fileURLWithPath: name))
  }

  private static func root(
    of file: ImportArguments.File, model: GraphModel
  ) throws(UsageError) -> ImportRoot {
    guard let entity = file.settings.entity else {
      throw UsageError(
        "\(file.operand): objects of which entity? give --entity NAME before the file, or "
          + "NAME=\(file.operand); the model has \(model.entityNames)")
    }
    try model.check(entity)
    guard let path = file.settings.path else { return ImportRoot(entity) }
    do {
      return try ImportRoot(entity, at: path)
    } catch {
      throw UsageError("--at: \(error)")
    }
  }
}

extension GraphModel {
  fileprivate var entityNames: String { entities.map(\.name).joined(separator: ", ") }

  /// Makes sure that the model has an entity.
  func check(_ entity: String) throws(UsageError) {
    guard self.entity(named: entity) == nil else { return }
    let nearest = nearestName(to: entity, in: entities.map(\.name))
    throw UsageError(
      "unknown entity \"\(entity)\""
        + (nearest.map { ", did you mean \"\($0)\"?" } ?? "; the model has \(entityNames)"))
  }
}
