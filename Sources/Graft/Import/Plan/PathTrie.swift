// The JSON paths of one entity, or of an import's roots, as one tree. The nodes are positions in
// JSON relative to the object that is read.

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
  /// Whether the path has a wildcard, so that each value is one of many.
  var isElement = false
  /// Whether each value is a member of an object under a key that the path does not name.
  ///
  /// The path ends with `*`. For a collection, whether its first wildcard is `*`.
  var isMember = false
}

/// The positions of interest below the objects of one entity, or below the document.
struct PathTrie {
  struct Node {
    var members: [[UInt8]: Int] = [:]
    var elements: [Int: Int] = [:]
    var eachMember: Int?
    var eachElement: Int?
    /// The nodes of all elements from an index on, by that index.
    var slices: [Int: Int] = [:]
    var targets: [PathTarget] = []
    /// The targets whose first wildcard is right below this node: where it is a container, they are
    /// present, even if empty.
    var collections: [PathTarget] = []

    /// Whether something is read inside an object.
    var readsObjects: Bool { !members.isEmpty || eachMember != nil }
    /// Whether something is read inside an array.
    var readsArrays: Bool { !elements.isEmpty || eachElement != nil || !slices.isEmpty }
  }

  private(set) var nodes: [Node] = [Node()]

  /// Adds a path.
  ///
  /// - Parameters:
  ///   - path: The path from the object to the value.
  ///   - kind: The property.
  ///   - pathIndex: The index of the path among its alternatives.
  mutating func add(_ path: JSONPath, _ kind: PathTarget.Kind, pathIndex: Int) {
    var node = 0
    var part = path.leadsOutside ? PathTarget.Part.outside(path) : .value
    var isBelowWildcard = false
    if path.leadsOutside {
      return nodes[0].targets.append(PathTarget(kind: kind, part: part, pathIndex: pathIndex))
    }
    for step in path.steps {
      switch step {
      case .member(let name):
        let key = Array(name.utf8)
        let child = existing(nodes[node].members[key])
        nodes[node].members[key] = child
        node = child
      case .element(let position):
        let child = existing(nodes[node].elements[position])
        nodes[node].elements[position] = child
        node = child
      case .eachMember, .eachElement, .elements:
        if !isBelowWildcard {
          nodes[node].collections.append(
            PathTarget(
              kind: kind, part: .value, pathIndex: pathIndex, isMember: step == .eachMember))
        }
        isBelowWildcard = true
        let child: Int
        switch step {
        case .eachMember:
          child = existing(nodes[node].eachMember)
          nodes[node].eachMember = child
        case .elements(let first):
          child = existing(nodes[node].slices[first])
          nodes[node].slices[first] = child
        default:
          child = existing(nodes[node].eachElement)
          nodes[node].eachElement = child
        }
        node = child
      case .key: part = .key
      case .index: part = .index
      case .value: part = .scalar
      case .parent, .constant, .file, .line: break
      }
    }
    nodes[node].targets.append(
      PathTarget(
        kind: kind, part: part, pathIndex: pathIndex, isElement: isBelowWildcard,
        isMember: path.steps.last == .eachMember))
  }

  /// The node to which steps lead; nil if no path goes there.
  func node(at steps: some Sequence<JSONPath.Step>) -> Int? {
    var node = 0
    for step in steps {
      let next: Int? =
        switch step {
        case .member(let name): nodes[node].members[Array(name.utf8)]
        case .element(let position): nodes[node].elements[position]
        case .eachMember: nodes[node].eachMember
        case .eachElement: nodes[node].eachElement
        case .elements(let first): nodes[node].slices[first]
        case .key, .index, .value, .parent, .constant, .file, .line: nil
        }
      guard let next else { return nil }
      node = next
    }
    return node
  }

  /// A child, or a new node where there is none.
  private mutating func existing(_ child: Int?) -> Int {
    if let child { return child }
    nodes.append(Node())
    return nodes.count - 1
  }
}

extension JSONPath {
  /// The path to a collection: `statuses` and `statuses[*]` mean the same.
  var collectionPath: JSONPath {
    var path = self
    if path.steps.last == .eachElement { path.steps.removeLast() }
    return path
  }

  /// The path to a collection of objects of an entity.
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
  fileprivate var readsArrays: Bool {
    let paths =
      attributes.flatMap(\.paths) + relationships.flatMap { $0.paths + $0.identifierPaths }
    return paths.contains { path in
      switch path.steps.first {
      case .element, .elements, .eachElement: true
      default: false
      }
    }
  }
}
