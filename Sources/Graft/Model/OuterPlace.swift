/// A value of an enclosing JSON object: the value at a path with `@parent`.
///
/// The number of levels is counted in JSON objects. For an object at `cart.items[*]` of an order,
/// `@parent` is the cart, and `@parent.@parent` the order.
package struct OuterPlace: Hashable {
  /// The number of levels up to the enclosing object, at least 1.
  package let levels: Int
  /// The path inside the enclosing object.
  package let path: JSONPath
}

extension OuterPlace {
  package init(_ path: JSONPath) {
    let inner = path.steps.drop { $0 == .parent }
    self.init(levels: path.steps.count - inner.count, path: JSONPath(Array(inner)))
  }

  /// Returns the same place as counted from an enclosing object, `objects` levels further out.
  func from(_ objects: Int) -> OuterPlace { OuterPlace(levels: levels - objects, path: path) }
}

extension JSONPath {
  /// The JSON objects on the path to an object, from the innermost outwards, each as the number of
  /// path steps that lead to it.
  ///
  /// For `cart.items[*]` these are the cart (1) and the object at which the path begins (0).
  package var objectsOnTheWay: [Int] { steps.indices.reversed().filter { steps[$0].entersObject } }

  /// Whether the value is one of a JSON object around the object.
  package var isOuter: Bool { steps.first == .parent }
}

extension ModelSchema {
  /// Returns the values of enclosing objects that each entity's objects read, the objects nested in
  /// them included.
  ///
  /// - Parameter own: Returns the values that an entity's own properties read there.
  /// - Returns: The places, by entity.
  /// - Complexity: O(*n* · *d*) in the number of relationships and the depth at which objects nest.
  package func outerPlaces(_ own: (EntitySchema) -> Set<OuterPlace>) -> [Set<OuterPlace>] {
    var places = entities.map(own)
    var hasChanged = places.contains { !$0.isEmpty }
    // An object reads the values that its nested objects read from further out.
    while hasChanged {
      hasChanged = false
      for entity in entities {
        for relationship in entity.relationships {
          let inner = self.places(ofFamily: relationship.destination, among: places)
          for path in relationship.paths {
            let objects = path.objectsOnTheWay.count
            for place in inner where place.levels > objects {
              let isNew = places[entity.number].insert(place.from(objects)).inserted
              hasChanged = hasChanged || isNew
            }
          }
        }
      }
    }
    return places
  }

  /// Returns the values of enclosing objects that objects of an entity or its sub-entities read.
  package func places(ofFamily entity: Int, among places: [Set<OuterPlace>]) -> Set<OuterPlace> {
    entities[entity].family.reduce(into: []) { $0.formUnion(places[$1]) }
  }
}
