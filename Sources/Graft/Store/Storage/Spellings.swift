/// An attribute that is a number or a boolean in JSON, and may be written as a string there, as a value
/// or in place of the object that it identifies.
///
/// In `{"id": "505874924095815681", "user": 7}` the tweet's `id` is a string, and the identity of users,
/// where it is written in place of one, is a number.
struct SpelledAttribute: Hashable, Sendable {
  /// The number of the topmost entity that has the attribute.
  var entity: Int
  /// The number of the attribute.
  var attribute: Int
  /// Whether values in place of objects are meant.
  var isReference: Bool

  init(
    _ attribute: Int, of entity: EntitySchema, in schema: ModelSchema, isReference: Bool = false
  ) {
    var top = entity
    while let above = top.superentity.map({ schema.entities[$0] }),
      above.attributes.count > attribute
    {
      top = above
    }
    self.entity = top.number
    self.attribute = attribute
    self.isReference = isReference
  }
}

/// The spelling of numbers and booleans in imported documents, which an export uses again.
package struct Spellings: Hashable, Sendable {
  /// The spelling of one attribute.
  struct Kinds: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    /// As a number or boolean.
    static let plain = Kinds(rawValue: 1)
    /// As a string.
    static let string = Kinds(rawValue: 2)
  }

  private var kinds: [SpelledAttribute: Kinds] = [:]

  /// Whether nothing was spelled as a string.
  private(set) var isPlain = true

  package init() {}

  /// The spelling of an attribute; empty if it was not read.
  subscript(attribute: SpelledAttribute) -> Kinds { kinds[attribute] ?? [] }

  /// Notes a spelling.
  mutating func note(_ spelling: Kinds, of attribute: SpelledAttribute) {
    kinds[attribute, default: []].formUnion(spelling)
    if spelling.contains(.string) { isPlain = false }
  }

  /// Notes all spellings that others have noted.
  package mutating func formUnion(_ other: Spellings) {
    for (attribute, spelling) in other.kinds { note(spelling, of: attribute) }
  }
}

extension Spellings {
  /// The spellings as text: a line for each, with entity, attribute, place and kind, sorted.
  package func text(in schema: ModelSchema) -> String {
    kinds.map { spelled, kind in
      let entity = schema.entities[spelled.entity]
      let place = spelled.isReference ? "reference" : "value"
      return
        "\(entity.name)\t\(entity.attributes[spelled.attribute].name)\t\(place)\t\(kind.rawValue)"
    }.sorted().joined(separator: "\n")
  }

  /// Reads the text that ``text(in:)`` has written, without attributes that the model no longer
  /// has.
  package init(text: String, in schema: ModelSchema) {
    self.init()
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t").map(String.init)
      guard parts.count == 4, let number = schema.entityNumbers[parts[0]],
        let kind = UInt8(parts[3]).map(Kinds.init(rawValue:)),
        let attribute = schema.entities[number].attributes.firstIndex(where: { $0.name == parts[1] }
        )
      else { continue }
      note(
        kind,
        of: SpelledAttribute(
          attribute, of: schema.entities[number], in: schema, isReference: parts[2] == "reference"))
    }
  }
}
