import Graft

/// Facts about an entity's data that its description does not have.
struct EntityFacts: Sendable {
  /// Facts about the values of an attribute.
  struct Values: Sendable {
    /// The number of objects with a value, such as `163 of 173`; nil if unknown.
    var presence: String?
    /// The range of the values or of their lengths, such as `1 … 99` or `3 … 40 bytes`.
    var range: String?
    /// Some of the values.
    var samples: [String]
  }

  /// The paths at which objects are found, from the root of a document.
  let places: [String]
  /// The number of objects.
  let objectCount: Int
  /// The values of its attributes, by their names.
  let attributes: [String: Values]

  /// Returns some values of an attribute, in full length.
  func samples(of attribute: String) -> [String] { wholeSamples[attribute] ?? [] }

  /// Values of the identity, as the document has them.
  private let wholeSamples: [String: [String]]

  init(_ draft: EntityDraft, in table: PlaceTable) {
    places = draft.places.map { table[$0].path }
    objectCount = draft.objectCount
    var attributes: [String: Values] = [:]
    for property in draft.properties where property.target == nil {
      attributes[property.name] = Values(property)
    }
    self.attributes = attributes
    let identity = draft.properties.first { $0.target == nil && $0.path == draft.identity?.path }
    wholeSamples = identity.map { [$0.name: Array($0.scalars.examples.prefix(1))] } ?? [:]
  }
}

extension EntityFacts.Values {
  /// The most values that are shown.
  private static let sampleLimit = 5
  /// The most characters of a value that are shown.
  private static let textLimit = 60

  fileprivate init(_ property: PropertyDraft) {
    let (shape, scalars) = (property.shape, property.scalars)
    if property.holderCount != .max, property.path != [.key], property.path != [.index] {
      presence = "\(shape.count - shape.nullCount) of \(property.holderCount)"
    }
    if scalars.fractionCount > 0, scalars.leastNumber <= scalars.greatestNumber {
      let least = scalars.integerCount > 0 ? Double(scalars.minimum) : .infinity
      let greatest = scalars.integerCount > 0 ? Double(scalars.maximum) : -.infinity
      range =
        "\(min(scalars.leastNumber, least)) … \(max(scalars.greatestNumber, greatest))"
    } else if scalars.integerCount > 0, scalars.minimum <= scalars.maximum {
      range = "\(scalars.minimum) … \(scalars.maximum)"
    } else if scalars.stringCount > 0 {
      range =
        scalars.shortest == scalars.longest
        ? "\(scalars.longest) bytes" : "\(scalars.shortest) … \(scalars.longest) bytes"
    }
    samples = scalars.examples.prefix(Self.sampleLimit).map { text in
      text.utf8.count > Self.textLimit && text.count > Self.textLimit
        ? text.prefix(Self.textLimit - 1) + "…" : text
    }
  }
}
