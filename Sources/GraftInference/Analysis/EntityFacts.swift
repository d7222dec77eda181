import Graft

/// Facts about an entity's data that its description does not have.
struct EntityFacts: Sendable {
  /// Facts about the values of an attribute.
  struct Values: Sendable {
    /// The number of objects with a value, and of those that may have one; nil if unknown.
    fileprivate let counts: (present: Int, holders: Int)?
    fileprivate let scalars: ScalarStatistics
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
    objectCount = draft.readCount
    var attributes: [String: Values] = Dictionary(minimumCapacity: draft.properties.count)
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
    let isKnown =
      property.holderCount != .max && property.path != [.key] && property.path != [.index]
    counts =
      isKnown ? (property.shape.count - property.shape.nullCount, property.holderCount) : nil
    scalars = property.scalars.withoutSketch
  }

  /// The number of objects with a value, such as `163 of 173`; nil if unknown.
  var presence: String? { counts.map { "\($0.present) of \($0.holders)" } }

  /// The range of the values or of their lengths, such as `1 … 99` or `3 … 40 bytes`; nil if there are none.
  var range: String? {
    if scalars.fractionCount > 0, scalars.leastNumber <= scalars.greatestNumber {
      let least = scalars.integerCount > 0 ? Double(scalars.minimum) : .infinity
      let greatest = scalars.integerCount > 0 ? Double(scalars.maximum) : -.infinity
      return "\(min(scalars.leastNumber, least)) … \(max(scalars.greatestNumber, greatest))"
    }
    if scalars.integerCount > 0, scalars.minimum <= scalars.maximum {
      return "\(scalars.minimum) … \(scalars.maximum)"
    }
    guard scalars.stringCount > 0 else { return nil }
    return scalars.shortest == scalars.longest
      ? "\(scalars.longest) bytes" : "\(scalars.shortest) … \(scalars.longest) bytes"
  }

  /// Some of the values.
  var samples: [String] {
    scalars.examples.prefix(Self.sampleLimit).map { text in
      text.utf8.count > Self.textLimit && text.count > Self.textLimit
        ? text.prefix(Self.textLimit - 1) + "…" : text
    }
  }
}
