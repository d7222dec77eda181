/// A value of a JSON object around another: what a path with `@parent` leads to.
///
/// How far up it is, is counted in JSON objects. Of an object at `cart.items[*]` of an order, `@parent` is
/// the cart, and `@parent.@parent` the order.
struct OuterPlace: Hashable {
  /// How many objects up it is, at least 1.
  let levels: Int
  /// Where in that object it is.
  let path: JSONPath

  init(_ path: JSONPath) {
    let inner = path.steps.drop { $0 == .parent }
    levels = path.steps.count - inner.count
    self.path = JSONPath(Array(inner))
  }

  /// The same place, seen from an object so many objects further out.
  func from(_ objects: Int) -> OuterPlace { OuterPlace(levels: levels - objects, path: path) }

  private init(levels: Int, path: JSONPath) {
    self.levels = levels
    self.path = path
  }
}

extension JSONPath {
  /// The JSON objects on the path to an object, the innermost first, each by the number of steps that lead
  /// to it: of `cart.items[*]` the cart (1) and the object that the path begins at (0).
  var objectsOnTheWay: [Int] { steps.indices.reversed().filter { steps[$0].entersObject } }

  /// Whether the value is one of a JSON object around the object.
  var isAroundObject: Bool { steps.first == .parent }
}

extension ModelSchema {
  /// What objects of each entity read of the JSON objects around them, the objects inside them included.
  ///
  /// - Parameter own: What the properties of an entity read there.
  /// - Returns: The places, by entity.
  /// - Complexity: O(*n* · *d*) in the number of relationships and the depth at which objects nest.
  func outerPlaces(_ own: (EntitySchema) -> Set<OuterPlace>) -> [Set<OuterPlace>] {
    var places = entities.map(own)
    var hasChanged = places.contains { !$0.isEmpty }
    // An object reads what the objects inside it read from further out than itself.
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

  /// What objects of an entity or one below it read, by what those of each entity do.
  func places(ofFamily entity: Int, among places: [Set<OuterPlace>]) -> Set<OuterPlace> {
    entities[entity].family.reduce(into: []) { $0.formUnion(places[$1]) }
  }
}
