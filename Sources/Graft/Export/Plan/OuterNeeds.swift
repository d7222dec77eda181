// What objects read from the JSON objects around them (`@parent`), and where an export has it.
//
// Items at `cart.items` of an order that read their currency at `@parent.currency` find it in `{"cart":
// {"currency": "EUR", "items": […]}}`. If the order has an attribute there, that is the value; if nothing
// has one there, the value of the first item is hoisted into `cart`.
//
// Such objects can only be written inside their owners. In a whole graph they are nested, as objects without
// identity are.

/// What objects of each entity read around them, at any depth inside.
struct OuterNeeds {
  private let schema: ModelSchema
  private let needs: [Set<OuterPlace>]
  /// Whether some relationship leads to an entity from where properties of its owners have all that its
  /// objects read.
  private var hasOwner: [Bool]

  init(_ schema: ModelSchema, _ styles: ExportStyles) {
    self.schema = schema
    needs = schema.outerPlaces { entity in
      let attributes = entity.attributes.filter { styles.isReadAround($0, of: entity) }
      let relationships = entity.relationships.enumerated().filter {
        styles.isReadAround($1, $0, of: entity)
      }
      let paths = attributes.flatMap(\.paths) + relationships.flatMap(\.element.paths)
      return Set(paths.filter(\.isAroundObject).map { OuterPlace($0) })
    }
    hasOwner = schema.entities.map { _ in false }
    guard needs.contains(where: { !$0.isEmpty }) else { return }
    for owner in schema.entities {
      for number in owner.relationships.indices {
        let destination = schema.entities[owner.relationships[number].destination]
        let places = read(by: destination)
        hasOwner[destination.number] =
          hasOwner[destination.number]
          || styles.places(of: number, in: owner).contains { way in
            places.allSatisfy { Self.has(owner, $0, along: way.pathOfObjects) }
          }
      }
    }
  }

  private static func has(
    _ owner: EntitySchema, _ place: OuterPlace, along way: JSONPath
  ) -> Bool {
    guard !place.isKey(onTheWay: way), let path = place.path(in: way) else { return true }
    let paths = owner.attributes.flatMap(\.paths) + owner.relationships.flatMap(\.paths)
    return paths.contains { !$0.steps.isEmpty && path.steps.starts(with: $0.steps) }
      || owner.discriminators.contains(path)
  }

  /// Whether what objects of an entity read around them is hoisted from them, because none of their owners has it.
  func hoists(_ entity: EntitySchema) -> Bool { !hasOwner[entity.number] }

  /// Whether objects of an entity, or objects inside them, read something around them.
  func readsAround(_ entity: EntitySchema) -> Bool { !needs[entity.number].isEmpty }

  /// What objects of an entity or one below it read, in a fixed order.
  func read(by entity: EntitySchema) -> [OuterPlace] {
    schema.places(ofFamily: entity.number, among: needs).sorted {
      ($0.levels, $0.path.description) < ($1.levels, $1.path.description)
    }
  }
}

extension OuterPlace {
  /// Where in an owner's JSON object the value is, for an object at a path in it; nil where it is further
  /// out, or is a key or position.
  func path(in pathOfObject: JSONPath) -> JSONPath? {
    let objects = pathOfObject.objectsOnTheWay
    guard levels <= objects.count, path.steps != [.key], path.steps != [.index] else { return nil }
    return JSONPath(Array(pathOfObject.steps.prefix(objects[levels - 1])) + path.steps)
  }

  /// Whether an import finds the key or position of the object that it names, for an object at a path.
  func isKey(onTheWay pathOfObject: JSONPath) -> Bool {
    levels <= pathOfObject.objectsOnTheWay.count && (path.steps == [.key] || path.steps == [.index])
  }
}

extension JSONPath.Step {
  /// Whether the step leads to one member of an object.
  var isMember: Bool { if case .member = self { true } else { false } }
}
