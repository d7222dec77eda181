/// A model as a file or code describes it, not yet checked.
package struct ModelDocument {
  var entities: [EntityDescription] = []
  /// The dialect that the file itself names.
  package var dialect: Dialect?
  /// The file, and where in it entities and properties are; nil for a model made in code.
  var source: ModelSource?
  /// Errors found while reading.
  ///
  /// A harmless value replaces each one that could not be read, so that the rest of the model is
  /// checked as well.
  var faults: [ModelIssue] = []
  /// The warnings of the reader.
  var warnings: [ModelIssue] = []
}

/// The file a model was read from, and where in it each entity and property is.
struct ModelSource: Sendable {
  private struct Name: Hashable {
    var entity: String
    var property: String?
  }

  let file: String
  private var locations: [Name: SourceLocation] = [:]

  init(file: String) {
    self.file = file
  }

  /// Notes where an entity or a property is described; of several with the same name, the last.
  mutating func note(_ location: SourceLocation, entity: String, property: String? = nil) {
    locations[Name(entity: entity, property: property)] = location
  }

  /// Returns the place where an entity or a property is described.
  ///
  /// The place is the entity's if the file has no such property, and the whole file if it has no
  /// such entity.
  func location(entity: String?, property: String?) -> ModelIssue.Location {
    let location = entity.flatMap { entity in
      locations[Name(entity: entity, property: property)]
        ?? locations[Name(entity: entity, property: nil)]
    }
    return ModelIssue.Location(file: file, position: location)
  }
}
