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
