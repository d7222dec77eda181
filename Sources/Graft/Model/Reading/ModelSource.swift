/// The file a model was read from, and where in it the entities and properties stand.
struct ModelSource: Sendable {
  private struct Place: Sendable, Hashable {
    var entity: String
    var property: String?
  }

  let file: String
  private var positions: [Place: TextPosition] = [:]

  init(file: String) {
    self.file = file
  }

  /// Notes where an entity or a property stands; of several with the same name, the last.
  mutating func note(_ position: TextPosition, entity: String, property: String? = nil) {
    positions[Place(entity: entity, property: property)] = position
  }

  /// Where an entity or a property stands; the entity's place stands in for that of an unknown
  /// property.
  func location(entity: String?, property: String?) -> ModelIssue.Location {
    let position = entity.flatMap { entity in
      positions[Place(entity: entity, property: property)]
        ?? positions[Place(entity: entity, property: nil)]
    }
    return ModelIssue.Location(file: file, position)
  }
}

/// A line and a column of a text, counted from 1, the column in bytes.
struct TextPosition: Sendable, Hashable {
  var line: Int
  var column: Int
}

extension ModelIssue.Location {
  init(file: String, _ position: TextPosition?) {
    self.init(file: file, line: position?.line, column: position?.column)
  }
}
