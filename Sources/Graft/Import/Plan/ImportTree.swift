// Finds the properties that an import reads at each place in the JSON of an entity's objects, or of the document.

/// The property at the end of a path.
struct PathTarget: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// The attribute of this number.
    case attribute(Int)
    /// The relationship of this number.
    case relationship(Int)
    /// Identifiers of the objects of the relationship of this number.
    case identifiers(Int)
    /// The import's root of this number.
    case root(Int)
  }

  /// The part of the value that the property reads.
  enum Part: Hashable, Sendable {
    case value
    /// The key of the value in its object.
    case key
    /// The index of the value in its array.
    case index
    /// The value, if it is a scalar.
    case scalar
    /// A value that is not inside the object: a path that begins with `@parent`, `@file`, `@line` or is a
    /// constant.
    case outside(JSONPath)
  }

  var kind: Kind
  var part: Part
  /// The index of the path among the property's alternatives; the lowest that is present counts.
  var pathIndex: Int
  /// Whether the path has a wildcard: each value is then one of many.
  var isElement = false
  /// Whether each value is a member of an object under a key that the path does not name.
  ///
  /// The path ends with `*`. For a collection, whether its first wildcard is `*`.
  var isMember = false
  /// Whether the path ends with a key.
  var isNamed = false

  /// The number of the relationship whose objects or identifiers the path leads to; nil for an attribute or a root.
  var relationship: Int? {
    switch kind {
    case .relationship(let number), .identifiers(let number): number
    case .attribute, .root: nil
    }
  }
}

/// The properties that are read at a place in JSON.
struct PathTargets {
  var targets: [PathTarget] = []
  /// The targets with a wildcard right below this place; `isMember` says whether it is `*`, and `isElement` whether another
  /// one comes before it.
  var wildcards: [PathTarget] = []
  /// The targets whose paths name a member right below this place.
  var members: [PathTarget] = []

  /// The targets whose first wildcard is right below this place.
  ///
  /// If the place is a container, they are present, even if it is empty.
  var collections: [PathTarget] { wildcards.filter { !$0.isElement } }
}

/// The paths that are read in the objects of one entity, or in the document, as one tree.
typealias ImportTree = PathTree<PathTargets>

extension ImportTree {
  init() { self.init(PathTargets()) }

  /// Adds a path.
  ///
  /// - Parameters:
  ///   - path: The path from the object to the value.
  ///   - kind: The property.
  ///   - pathIndex: The index of the path among its alternatives.
  mutating func add(_ path: JSONPath, _ kind: PathTarget.Kind, pathIndex: Int) {
    if path.leadsOutside {
      return self[0].targets.append(
        PathTarget(kind: kind, part: .outside(path), pathIndex: pathIndex))
    }
    var node = 0
    var part = PathTarget.Part.value
    var isBelowWildcard = false
    for step in path.steps {
      switch step {
      case .key: part = .key
      case .index: part = .index
      case .value: part = .scalar
      case .parent, .constant, .file, .line: break
      case .member, .element, .eachMember, .eachElement, .elements:
        if step.isWildcard {
          self[node].wildcards.append(
            PathTarget(
              kind: kind, part: .value, pathIndex: pathIndex, isElement: isBelowWildcard,
              isMember: step == .eachMember))
          isBelowWildcard = true
        } else if case .member = step {
          self[node].members.append(PathTarget(kind: kind, part: .value, pathIndex: pathIndex))
        }
        node = makeNode(behind: step, of: node, PathTargets())
      }
    }
    let isNamed = if case .member? = path.steps.last { true } else { false }
    self[node].targets.append(
      PathTarget(
        kind: kind, part: part, pathIndex: pathIndex, isElement: isBelowWildcard,
        isMember: path.steps.last == .eachMember,
        isNamed: isNamed))
  }
}

extension JSONPath {
  /// The path to a collection: `statuses` and `statuses[*]` mean the same.
  package var collectionPath: JSONPath {
    var path = self
    if path.steps.last == .eachElement { path.steps.removeLast() }
    return path
  }

  /// Returns the path to a collection of objects of an entity.
  ///
  /// Below another wildcard, `series[*].data` leads to single objects or arrays of them. If an
  /// object may be an array itself, only `series[*].data[*]` shows that the arrays are not the
  /// objects.
  func path(ofCollectionOf entity: EntitySchema) -> JSONPath {
    let path = collectionPath
    return entity.readsArrays && path.steps.contains(where: \.isWildcard) ? self : path
  }
}

extension EntitySchema {
  /// Whether an object may be an array in JSON: a row, or an array of the members of a relationship.
  var readsArrays: Bool {
    attributes.contains { $0.paths.contains(where: \.beginsInArray) }
      || relationships.contains {
        $0.paths.contains(where: \.beginsInArray)
          || $0.identifierPaths.contains(where: \.beginsInArray)
      }
  }
}

extension JSONPath {
  fileprivate var beginsInArray: Bool {
    switch steps.first {
    case .element, .elements, .eachElement: true
    default: false
    }
  }
}
