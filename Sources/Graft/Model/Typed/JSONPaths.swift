/// Where a property stands in JSON: one path, or several that are tried in order.
///
/// A literal will do: `"entities.hashtags"`, or `["id_str", "id"]`. Whether the text is a path is
/// checked when the model is made.
public struct JSONPaths: Sendable, Hashable {
  /// The paths as the annotation `JSONKeyPath` has them.
  let annotation: String

  /// No place: the property is neither imported nor exported.
  public static let nowhere = JSONPaths(annotation: "-")

  private init(annotation: String) {
    self.annotation = annotation
  }

  /// Creates paths from their texts.
  ///
  /// - Parameter paths: The paths; the first that is present in an object counts.
  public init(_ paths: [String]) {
    self.init(annotation: paths.joined(separator: " | "))
  }
}

extension JSONPaths: ExpressibleByStringLiteral {
  /// Creates a single path from its text.
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
