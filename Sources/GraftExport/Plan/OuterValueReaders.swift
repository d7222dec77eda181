// Finds the values that objects read of enclosing JSON objects (`@parent`), and the places where an
// export has these values.
//
// Items at `cart.items` of an order that read their currency at `@parent.currency` find it in `{"cart":
// {"currency": "EUR", "items": […]}}`. If the order has an attribute there, that is the value; if nothing
// has one there, the value of the first item is hoisted into `cart`.
//
// Such objects can only be written inside their owners. In a whole graph they are nested, as objects without
// identity are.

import Graft

/// The values of enclosing objects that each entity's objects read, at any depth inside.
struct OuterValueReaders {
  private let schema: ModelSchema
  private let needs: [Set<OuterPlace>]
  /// The values that an import looks for, also for properties that are written inside the object.
  private let looks: [Set<OuterPlace>]
  /// Whether some relationship leads to an entity from owners whose properties have all values that
  /// the entity's objects read.
  private var hasOwner: [Bool]

  init(_ schema: ModelSchema, _ styles: ExportStyles) {
    self.schema = schema
    needs = schema.outerPlaces { entity in
      let attributes = entity.attributes.filter { styles.isOuterValue($0, of: entity) }
      let relationships = entity.relationships.enumerated().filter {
        styles.isOuterValue($1, $0, of: entity)
      }
      let paths = attributes.flatMap(\.paths) + relationships.flatMap(\.element.paths)
      return Set(paths.filter(\.isOuter).map { OuterPlace($0) })
    }
    looks = schema.outerPlaces { entity in
      let attributes = entity.attributes.filter { !styles.omits($0, of: entity) }
      let paths = attributes.flatMap(\.paths) + entity.relationships.flatMap(\.paths)
      return Set(paths.filter(\.isOuter).map { OuterPlace($0) })
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

  /// Returns whether the values that an entity's objects read of enclosing objects are hoisted from
  /// them, because no owner has these values.
  func hoists(_ entity: EntitySchema) -> Bool { !hasOwner[entity.number] }

  /// Returns whether objects of an entity, or objects nested in them, read values of enclosing
  /// objects.
  func readsOuterValues(_ entity: EntitySchema) -> Bool { !needs[entity.number].isEmpty }

  /// Returns the values that objects of an entity or its sub-entities read and have no place for, in a fixed order.
  func read(by entity: EntitySchema) -> [OuterPlace] { places(of: entity, among: needs) }

  /// Returns the values that objects of an entity or its sub-entities read, in a fixed order.
  func lookedAt(by entity: EntitySchema) -> [OuterPlace] { places(of: entity, among: looks) }

  private func places(of entity: EntitySchema, among places: [Set<OuterPlace>]) -> [OuterPlace] {
    schema.places(ofFamily: entity.number, among: places).inOrder {
      ($0.levels, $0.path.description) < ($1.levels, $1.path.description)
    }
  }
}

extension OuterPlace {
  /// Returns the value's path in an owner's JSON object, for an object at a path in the owner.
  ///
  /// The path is nil if the value is further out, or is a key or position.
  func path(in pathOfObject: JSONPath) -> JSONPath? {
    let objects = pathOfObject.objectsOnTheWay
    guard levels <= objects.count, path.steps != [.key], path.steps != [.index] else { return nil }
    return JSONPath(Array(pathOfObject.steps.prefix(objects[levels - 1])) + path.steps)
  }

  /// Returns whether the place is a key or position on the way to an object, which an import finds
  /// by itself.
  func isKey(onTheWay pathOfObject: JSONPath) -> Bool {
    levels <= pathOfObject.objectsOnTheWay.count && (path.steps == [.key] || path.steps == [.index])
  }
}

extension JSONPath.Step {
  /// Whether the step leads to one member of an object.
  var isMember: Bool { if case .member = self { true } else { false } }
}
