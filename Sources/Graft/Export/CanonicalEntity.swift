/// How the objects of one entity are written: what does not differ from object to object, as bytes.
struct CanonicalEntity {
  /// A property, and the text that leads to its value.
  struct Property {
    enum Content {
      case attribute(Int, AttributeType)
      case toOne(Int)
      /// `isSorted` tells whether the store's order is not the one to write.
      case toMany(Int, isSorted: Bool)
    }

    var name: String
    /// A comma, the name and a colon.
    var lead: [UInt8]
    var content: Content
  }

  let number: Int
  let name: String
  /// The beginning of a reference to an object, with its opening quote and without its number.
  let reference: [UInt8]
  let properties: [Property]

  init(_ entity: EntitySchema, in schema: ModelSchema) {
    number = entity.number
    name = entity.name
    reference = Array(Self.quoted(entity.name + "/").dropLast())
    var properties: [Property] = []
    for (number, attribute) in entity.attributes.enumerated() {
      properties.append(
        Self.property(attribute.name, .attribute(number, attribute.type)))
    }
    for (number, relationship) in entity.relationships.enumerated() {
      let names = schema.entities[relationship.destination].family.map { schema.entities[$0].name }
      let isSorted = !relationship.isOrdered && names != names.sortedByCodePoints
      properties.append(
        Self.property(
          relationship.name,
          relationship.isToMany ? .toMany(number, isSorted: isSorted) : .toOne(number)))
    }
    self.properties = properties.sorted { $0.name.precedesByCodePoints($1.name) }
  }

  static func quoted(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var text = text
    text.withUTF8 { JSONLiteral.appendString($0, to: &bytes) }
    return bytes
  }

  private static func property(_ name: String, _ content: Property.Content) -> Property {
    Property(name: name, lead: Array(", ".utf8) + quoted(name) + Array(": ".utf8), content: content)
  }
}

extension String {
  /// Whether the text stands before another by its code points, which is the order of their UTF-8.
  func precedesByCodePoints(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension [String] {
  fileprivate var sortedByCodePoints: [String] { sorted { $0.precedesByCodePoints($1) } }
}
