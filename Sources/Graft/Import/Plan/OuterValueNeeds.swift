// `@parent.id` of an order's item is the `id` of the order: a value of the JSON object around the object
// that has the property. It may come after the item:
//
//   {"items": [{"sku": "a"}, {"sku": "b"}], "id": 7}
//
// So the plan must know, where an object begins, which of its values are read by objects inside it. The
// events of such an object wait in a `ReplayBuffer` until these values have been seen; for `{"id": 7,
// "items": …}` that is one member. `OuterValues` holds them while the object is open.
//
// The number of levels up to a value is counted in JSON objects. With the relationship `items` at
// `cart.items`, `@parent` is the cart, and `@parent.@parent` the order.

/// Lists the values of enclosing JSON objects that objects read at `@parent`.
struct OuterValueNeeds {
  /// The path of each value in its object; a value's slot is its index here.
  private(set) var paths: [JSONPath] = []
  /// The slots that are needed of the JSON objects at the nodes of the trees.
  private var needed = [Node: Set<Int>]()

  private struct Node: Hashable {
    var tree: Int
    var node: Int
  }

  /// Returns the number of a value.
  mutating func slot(of path: JSONPath) -> Int {
    if let slot = paths.firstIndex(of: path) { return slot }
    paths.append(path)
    return paths.count - 1
  }

  mutating func need(_ slot: Int, at node: Int, of tree: Int) {
    needed[Node(tree: tree, node: node), default: []].insert(slot)
  }

  /// Returns the values that are needed of a JSON object.
  func slots(at node: Int, of tree: Int) -> Set<Int> {
    needed.isEmpty ? [] : needed[Node(tree: tree, node: node)] ?? []
  }
}

extension PlanBuilder {
  /// Finds the JSON objects whose values are needed by nested objects.
  ///
  /// - Throws: ``ImportError`` if a path is not supported.
  func findOuterValues() throws {
    let places = schema.outerPlaces { entity in
      let paths = entity.attributes.flatMap(\.paths) + entity.relationships.flatMap(\.paths)
      return Set(paths.filter(\.isOuter).map { OuterPlace($0) })
    }
    guard places.contains(where: { !$0.isEmpty }) else { return }
    for entity in schema.entities {
      for relationship in entity.relationships {
        for (pathIndex, path) in relationship.paths.enumerated() {
          let needs = schema.places(ofFamily: relationship.destination, among: places)
          guard pathIndex == 0 || path.steps.count < 2 || needs.isEmpty else {
            throw ImportError(
              kind: .model, entity: entity.name, property: relationship.name,
              message:
                "\(entity.name).\(relationship.name): the objects at \"\(path)\" read values at \"@parent\";"
                + " make it the first of the paths, or let it be a single key")
          }
          place(needs, along: relationship.isToMany ? path.collectionPath : path, of: entity.number)
        }
      }
    }
    for (root, entity) in zip(roots, entitiesOfRoots) {
      place(
        schema.places(ofFamily: entity, among: places), along: root.path.collectionPath,
        of: Self.document)
    }
  }

  /// Notes which objects on the way to a relationship's or root's objects have values that these
  /// need.
  private func place(_ needs: Set<OuterPlace>, along path: JSONPath, of tree: Int) {
    let objects = path.objectsOnTheWay
    for need in needs where need.levels <= objects.count {
      let steps = path.steps.prefix(objects[need.levels - 1])
      if let node = self.tree(tree).node(at: steps) {
        outerValues.need(outerValues.slot(of: need.path), at: node, of: tree)
      }
    }
  }
}
