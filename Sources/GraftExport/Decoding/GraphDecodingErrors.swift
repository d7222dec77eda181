import Graft

/// The entity, and perhaps the property, that is being decoded, as errors name it.
struct PropertyPlace: CustomStringConvertible {
  var entity: String
  var property: String?

  var description: String { property.map { "\(entity).\($0)" } ?? entity }
}

/// An object, objects or a value, as decoding errors name it.
enum DecodedPart {
  case object(GraphObject)
  case objects([GraphObject])
  case value(AttributeValue)
  /// No value of an attribute, or no object of a to-one relationship.
  case missing

  /// The part as errors describe it.
  var summary: String {
    switch self {
    case .object(let object): "an object of \(object.entityName)"
    case .objects(let objects): "an array of \(objects.count) objects"
    case .value(let value): value.shortText
    case .missing: "no value"
    }
  }
}

/// A coding key that is only a name, or a position.
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

extension GraphDecoder {
  private func context(_ description: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: description)
  }

  func noValue(_ type: Any.Type) -> DecodingError {
    .valueNotFound(
      type, context("\(place) has no value, expected a \(type); decode it as an optional"))
  }

  func mismatch(_ type: Any.Type, _ expectation: String? = nil) -> DecodingError {
    .typeMismatch(
      type, context("\(place) is \(part.summary), expected \(expectation ?? "a \(type)")"))
  }

  func inexact(_ type: Any.Type) -> DecodingError {
    .dataCorrupted(
      context("\(place) is \(part.summary), which a \(type) cannot hold exactly"))
  }

  func tooDeep(_ key: any CodingKey, _ place: PropertyPlace) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath + [key],
        debugDescription: "\(place) leads deeper than the limit of \(depthLimit) relationships; "
          + "leave it out of the type's coding keys if there is a cycle, or raise depthLimit"
      ))
  }

  func unread(_ key: any CodingKey, _ error: StoreError) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath + [key], debugDescription: error.message, underlyingError: error))
  }

  func unknownKey(_ key: any CodingKey, of schema: EntitySchema) -> DecodingError {
    let names = schema.attributes.map(\.name) + schema.relationships.map(\.name)
    let near = suggestion(for: key.stringValue, in: names)
    let remedy = near.isEmpty ? "; known: \(names.sorted().prefix(12).quoted)" : near
    return .keyNotFound(
      key, context("\(schema.name) has no property \"\(key.stringValue)\"\(remedy)"))
  }

  func atEnd(_ type: Any.Type, _ count: Int) -> DecodingError {
    .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: codingPath + [PlainKey(intValue: count)],
        debugDescription: "\(place) has \(count) objects, and all are decoded; expected a \(type)"))
  }
}

extension DecodingError {
  /// Returns the error with the path and place of the JSON value in which it occurred.
  func within(_ path: [any CodingKey], _ place: PropertyPlace) -> DecodingError {
    func moved(_ context: Context) -> Context {
      Context(
        codingPath: path + context.codingPath,
        debugDescription: "\(place): \(context.debugDescription)",
        underlyingError: context.underlyingError)
    }
    return switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, moved(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, moved(context))
    case .keyNotFound(let key, let context): .keyNotFound(key, moved(context))
    case .dataCorrupted(let context): .dataCorrupted(moved(context))
    @unknown default: self
    }
  }
}
