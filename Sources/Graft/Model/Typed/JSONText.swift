/// JSON of any kind, kept by an ``Attribute`` unchanged.
///
/// With the path `$` it is the whole object, in addition to the values that other attributes read
/// of it:
///
/// ```swift
/// struct Event: Entity {
///   let id = Attribute<Int>()
///   let raw = Attribute<JSONText?>("$")
///   static let identity = [\Self.id]
/// }
/// ```
///
/// White space between its parts is not kept. An export writes the JSON back, except for a whole
/// object (path `$`), which it writes from the object's properties.
public struct JSONText: Sendable, Hashable {
  /// The JSON.
  public let text: String

  /// Creates a value from a text that is known to be JSON.
  init(kept text: String) {
    self.text = text
  }
}

extension JSONText: AttributeConvertible {
  /// Kept as `Transformable`, by its text.
  public static var attributeCodec: AttributeCodec<JSONText> {
    AttributeCodec(
      type: .transformable, placeholder: JSONText(kept: "null"),
      decode: { JSONText(kept: $0.text) }, encode: { .json($0.text) })
  }
}

extension JSONText: CustomStringConvertible {
  /// The JSON.
  public var description: String { text }
}
