/// The file a model was read from, and where in it the entities and properties stand.
struct ModelSource: Sendable {
  /// An entity, or a property of an entity.
  struct Place: Sendable, Hashable {
    var entity: String
    var property: String?
  }

  let file: String
  /// The line of each entity and property, counted from 1.
  private(set) var lines: [Place: Int] = [:]

  init(file: String) {
    self.file = file
  }

  /// Notes where an entity or a property stands; of several with the same name, the last.
  mutating func note(line: Int, entity: String, property: String? = nil) {
    lines[Place(entity: entity, property: property)] = line
  }

  func location(entity: String?, property: String?) -> ModelIssue.Location {
    let line = entity.flatMap { entity in
      lines[Place(entity: entity, property: property)]
        ?? lines[Place(entity: entity, property: nil)]
    }
    return ModelIssue.Location(file: file, line: line, column: nil)
  }
}
