/// Where in a document objects of an entity stand.
public struct ImportRoot: Sendable, Hashable {
  /// The name of the objects' entity.
  public var entity: String
  /// The path from the document to the objects, or to the array that holds them.
  public var path: JSONPath

  /// Creates a root.
  ///
  /// - Parameters:
  ///   - entity: The name of the objects' entity.
  ///   - path: The path to the objects, or to the array that holds them; by default the document
  ///     itself.
  public init(_ entity: String, at path: JSONPath = JSONPath()) {
    self.entity = entity
    self.path = path
  }

  /// Creates a root from a path's text.
  ///
  /// - Parameters:
  ///   - entity: The name of the objects' entity.
  ///   - path: The path, such as `statuses`, `data.items[*]` or `events.*`.
  /// - Throws: ``JSONPathError`` where the text is no path.
  public init(_ entity: String, at path: String) throws {
    self.init(entity, at: try JSONPath(path))
  }
}

extension ModelSchema {
  /// The number of a root's entity.
  ///
  /// - Throws: ``ImportError`` where the model has no such entity.
  func entityNumber(of root: ImportRoot) throws -> Int {
    if let number = entityNumbers[root.entity] { return number }
    throw ImportError(
      kind: .model,
      message: "unknown entity \"\(root.entity)\""
        + suggestion(for: root.entity, in: entities.map(\.name)))
  }
}
