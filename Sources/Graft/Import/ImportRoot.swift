/// The place of an entity's objects in a document.
///
/// ```swift
/// ImportRoot(Tweet.self)                         // the document itself: an object or an array
/// ImportRoot(Tweet.self, at: "statuses")         // the array under a key
/// ImportRoot("Event", at: "events.*")            // every member of an object, entity by name
/// try ImportRoot(Tweet.self, at: settings.path)  // a string that may be no path
/// ```
public struct ImportRoot: Sendable, Hashable {
  /// The name of the objects' entity.
  public var entity: String
  /// The path from the document to the objects, or to the array that holds them.
  public var path: JSONPath

  /// Creates a root of an entity by its name.
  ///
  /// - Parameters:
  ///   - entity: The name of the objects' entity.
  ///   - path: The path to the objects, or to the array that holds them, which may be a literal; by
  ///     default the document itself.
  public init(_ entity: String, at path: JSONPath = JSONPath()) {
    self.entity = entity
    self.path = path
  }

  // A literal is a `JSONPath` rather than an optional string, so that only a string that is not known
  // when the program is compiled needs `try`.

  /// Creates a root of an entity by its name, from a path's text.
  ///
  /// - Parameters:
  ///   - entity: The name of the objects' entity.
  ///   - path: The path, such as `statuses`, `data.items[*]` or `events.*`; nil for the document
  ///     itself.
  /// - Throws: ``JSONPathError`` if the text is no path.
  @_disfavoredOverload
  public init(_ entity: String, at path: String?) throws(JSONPathError) {
    self.init(entity)
    if let path { self.path = try JSONPath(path) }
  }

  /// Creates a root of a typed entity.
  ///
  /// - Parameters:
  ///   - entity: The objects' entity.
  ///   - path: The path to the objects, or to the array that holds them, which may be a literal; by
  ///     default the document itself.
  public init<E: Entity>(_ entity: E.Type, at path: JSONPath = JSONPath()) {
    self.init(E.entityName, at: path)
  }

  /// Creates a root of a typed entity, from a path's text.
  ///
  /// - Parameters:
  ///   - entity: The objects' entity.
  ///   - path: The path, such as `statuses`, `data.items[*]` or `events.*`; nil for the document
  ///     itself.
  /// - Throws: ``JSONPathError`` if the text is no path.
  @_disfavoredOverload
  public init<E: Entity>(_ entity: E.Type, at path: String?) throws(JSONPathError) {
    try self.init(E.entityName, at: path)
  }
}

extension ModelSchema {
  /// Returns the number of a root's entity.
  ///
  /// - Throws: ``ImportError`` if the model has no such entity.
  func entityNumber(of root: ImportRoot) throws -> Int {
    if let number = entityNumbers[root.entity] { return number }
    throw ImportError(
      kind: .model, entity: root.entity, message: unknownEntity(root.entity))
  }
}
