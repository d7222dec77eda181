/// The names of entities' properties before a model is compiled.
struct PropertyNames {
  private let entities: [String: EntityDescription]

  init(_ entities: [EntityDescription]) {
    self.entities = Dictionary(
      entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The names of an entity's properties, inherited ones included.
  func names(of entity: EntityDescription) -> Set<String> {
    var names: Set<String> = []
    var next: EntityDescription? = entity
    // The limit also ends a line that runs in a circle, which is reported elsewhere.
    for _ in 0..<EntityHierarchy.depthLimit {
      guard let entity = next else { break }
      names.formUnion(entity.attributes.lazy.map(\.name))
      names.formUnion(entity.relationships.lazy.map(\.name))
      next = entity.superentity.flatMap { entities[$0] }
    }
    return names
  }
}
