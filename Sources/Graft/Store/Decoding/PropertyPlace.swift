/// The entity, and perhaps the property, that is being decoded, as errors name it.
struct PropertyPlace: CustomStringConvertible {
  var entity: String
  var property: String?

  var description: String { property.map { "\(entity).\($0)" } ?? entity }
}

/// What a decoder finds at its place.
enum DecodedPart {
  case object(GraphObject)
  case objects([GraphObject])
  case value(AttributeValue)
  /// No value of an attribute, or no object of a to-one relationship.
  case missing

  /// What is there, in words.
  var summary: String {
    switch self {
    case .object(let object): "an object of \(object.entityName)"
    case .objects(let objects): "an array of \(objects.count) objects"
    case .value(let value): value.shortText
    case .missing: "no value"
    }
  }
}

/// A key that is only a name, or a position.
struct PlainKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}
