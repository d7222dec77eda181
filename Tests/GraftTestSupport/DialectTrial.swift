import Testing

@testable import Graft

// The rows of the design's table of semantics: one file each, named after its row. A row says what
// every dialect does by default, what each setting does as an option of the import in whatever
// dialect, and that an annotation comes before the option.
//
// One model serves all dialects: it is written in Graft's annotations and said again in the
// dialect's own. ZDSStreamJSONParser's has no word for identity, so there every object is a new one.

extension Dialect {
  /// The dialects that can say what identifies an object.
  static let identifying = allCases.filter { $0 != .zds }

  /// A model in the dialect's own annotations.
  ///
  /// They say what identifies an object and that every property is in JSON; what else is annotated
  /// holds in Graft's own dialect only.
  func spell(_ entities: [EntityDescription]) -> [EntityDescription] {
    guard self != .graft else { return entities }
    var identities: [String: String] = [:]
    for entity in entities { identities[entity.name] = entity.userInfo["identityAttributes"] }
    return entities.map { spell($0, identities) }
  }

  private func spell(
    _ given: EntityDescription, _ identities: [String: String]
  ) -> EntityDescription {
    var entity = given
    let identity = identities[given.name]
    entity.userInfo = identity.map(entityNotes) ?? [:]
    entity.attributes = given.attributes.map { given in
      var attribute = given
      attribute.userInfo = propertyNotes(given.name)
      if self == .sync, given.name == identity { attribute.userInfo["sync.isPrimaryKey"] = "YES" }
      return attribute
    }
    entity.relationships = given.relationships.map { given in
      var relationship = given
      relationship.userInfo = propertyNotes(given.name)
      if self == .magicalrecord, let identity = identities[given.destination] {
        relationship.userInfo["relatedByAttribute"] = identity
      }
      return relationship
    }
    return entity
  }

  private func entityNotes(_ identity: String) -> [String: String] {
    switch self {
    case .graft, .groot: ["identityAttributes": identity]
    case .magicalrecord: ["relatedByAttribute": identity]
    case .dandy: ["@primaryKey": identity]
    case .sync, .zds: [:]
    }
  }

  private func propertyNotes(_ name: String) -> [String: String] {
    self == .groot ? ["JSONKeyPath": name] : [:]
  }
}

extension ImportTrial {
  /// A store of a model in a dialect's own annotations.
  init(_ entities: [EntityDescription], speaking dialect: Dialect) throws {
    try self.init(dialect.spell(entities), dialect: dialect)
  }

  /// Imports a text, and returns the lines of the graph, or a `!` with the error.
  func outcome(of json: String, _ options: ImportOptions = ImportOptions()) throws -> [String] {
    let before = text
    do {
      try load(json, options)
      return lines
    } catch let error as ImportError {
      #expect(text == before)
      return ["! \(error)"]
    }
  }
}

/// Imports documents one after the other, and returns the lines of the graph, or a `!` with the
/// error.
///
/// It is told by its lines, or by a `!` with the error of the import that fails. The options are
/// those of the last document.
func outcome(
  of documents: String..., in dialect: Dialect = .graft,
  for entities: [EntityDescription],
  _ options: ImportOptions = ImportOptions()
) throws -> [String] {
  let trial = try ImportTrial(entities, speaking: dialect)
  for document in documents.dropLast() { try trial.load(document) }
  return try trial.outcome(of: documents.last ?? "[]", options)
}
