/// The path of a property in JSON, or several paths that are tried in order.
///
/// Literals are paths: `"entities.hashtags"`, or `["id_str", "id"]`. Whether they are valid is
/// checked when the model is made; see ``JSONPath``.
public struct JSONPaths: Sendable, Hashable {
  /// The paths as the annotation `JSONKeyPath` has them.
  package let annotation: String

  /// No path: the property is neither imported nor exported.
  public static let nowhere = JSONPaths(annotation: "-")

  /// Creates paths from the value of the annotation `JSONKeyPath`.
  init(annotation: String) {
    self.annotation = annotation
  }

  /// Creates paths that are tried in order.
  ///
  /// - Parameter paths: The paths; the first that is present in an object counts.
  public init(_ paths: [String]) {
    self.init(annotation: paths.joined(separator: " | "))
  }
}

extension JSONPaths: ExpressibleByStringLiteral {
  /// Creates a single path.
  ///
  /// - Parameter value: The path, such as `entities.hashtags[*].text`.
  public init(stringLiteral value: String) {
    self.init(annotation: value)
  }
}

extension JSONPaths: ExpressibleByArrayLiteral {
  /// Creates paths that are tried in order.
  ///
  /// - Parameter elements: The paths.
  public init(arrayLiteral elements: String...) {
    self.init(elements)
  }
}
