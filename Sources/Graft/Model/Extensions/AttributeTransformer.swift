/// Converts a JSON value to an attribute's value, and back.
///
/// It is registered in ``ModelExtensions`` under the name by which a model mentions it.
public struct AttributeTransformer: Sendable, Hashable {
  let kind: TransformerKind

  /// Leaves values as they are.
  public static let none = AttributeTransformer(kind: .none)
  /// Makes an integer from a string, and a string from an integer.
  public static let stringInteger = AttributeTransformer(kind: .stringInteger)
  /// Removes white space at both ends of a string, before it is converted.
  public static let trim = AttributeTransformer(kind: .trim)
  /// Makes a URL from a string, and a string from a URL, as ``none`` does too.
  public static let url = none
  /// Makes bytes from base64, and base64 from bytes, as ``none`` does too.
  public static let base64 = none
  /// Reads `#rgb`, `#rrggbb` and `#rrggbbaa` as a colour, and writes it so.
  public static let hexColor = AttributeTransformer(kind: .hexColor)

  /// Creates a transformer from two closures.
  ///
  /// JSON scalars come as `.string`, `.integer`, `.double` or `.boolean`, objects and arrays as `.json`, and `null` as
  /// nil. For a decimal attribute, a number that is no `Int64` comes as `.decimal`. If the closure returns a string for an
  /// attribute of another type, or a number for a date, it is converted like one of the document. An export writes a
  /// date that the second closure returns in the attribute's format, and a number as a string if the attribute is
  /// ``Policies/writtenAs`` one. An error that a closure throws becomes an error of the import or export with its place.
  ///
  /// - Parameters:
  ///   - forward: Makes the attribute's value of the JSON value.
  ///   - reverse: Makes the JSON value from the attribute's value; nil leaves the value as it is.
  public init(
    forward: @escaping @Sendable (AttributeValue?) throws -> AttributeValue?,
    reverse: (@Sendable (AttributeValue?) throws -> AttributeValue?)? = nil
  ) {
    kind = .custom(CustomTransformer(forward: forward, reverse: reverse))
  }

  private init(kind: TransformerKind) {
    self.kind = kind
  }

  /// Returns the ready-made transformer of this name.
  ///
  /// - Parameter name: One of `none`, `string-integer`, `trim`, `url`, `base64` and `hex-color`.
  /// - Returns: The transformer, or nil for another name.
  public static func named(_ name: String) -> AttributeTransformer? {
    readyMade.first { $0.name == name }?.transformer
  }

  /// The names of the ready-made transformers.
  public static var names: [String] { readyMade.map(\.name) }

  /// Returns the name of a ready-made one, or the name by which files and messages mention the transformer of an attribute.
  package func name(of attribute: String, in entity: String) -> String {
    Self.readyMade.first { $0.transformer.kind == kind }?.name ?? "\(entity).\(attribute)"
  }

  private static let readyMade: [(name: String, transformer: AttributeTransformer)] = [
    ("none", .none), ("string-integer", .stringInteger), ("trim", .trim), ("url", .url),
    ("base64", .base64), ("hex-color", .hexColor),
  ]
}

/// The kinds of transformers that the import and the export distinguish.
package enum TransformerKind: Sendable, Hashable {
  case none
  case stringInteger
  case trim
  case hexColor
  case custom(CustomTransformer)
}

/// The closures of a transformer; a class, so that models that share them are equal.
package final class CustomTransformer: Sendable, Hashable {
  package let forward: @Sendable (AttributeValue?) throws -> AttributeValue?
  package let reverse: (@Sendable (AttributeValue?) throws -> AttributeValue?)?

  init(
    forward: @escaping @Sendable (AttributeValue?) throws -> AttributeValue?,
    reverse: (@Sendable (AttributeValue?) throws -> AttributeValue?)?
  ) {
    self.forward = forward
    self.reverse = reverse
  }

  package static func == (first: CustomTransformer, second: CustomTransformer) -> Bool {
    first === second
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
