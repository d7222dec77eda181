// The JSON paths of one entity reversed: a tree of what stands where in its objects. Paths that
// begin alike meet in one intermediate object. One value cannot be written in two forms: where a
// path leads through the value of another property, or ends where another does, the first to be
// placed stays.

/// What stands where in an entity's objects.
struct ExportTree {
  struct Leaf {
    enum Kind: Hashable {
      case attribute(Int)
      /// The flag tells whether its objects stand under names.
      case relationship(Int, isKeyed: Bool)
      /// The value of a discriminator, as JSON.
      case constant([UInt8])
    }

    var kind: Kind
    /// The object it is read from: 0 for the object itself, others for those that share its JSON.
    var slot: Int
    /// The entity of that object.
    var entity: Int
    /// What stands in for an attribute without a value.
    var fallback: [UInt8]?
  }

  struct Node {
    var members: [(name: String, node: Int)] = []
    var elements: [Int: Int] = [:]
    var leaf: Leaf?
    /// The least place in the model of the properties here and below.
    var order = Int.max

    var isFree: Bool { members.isEmpty && elements.isEmpty && leaf == nil }
  }

  /// The elements of an array that a path may name: the ones before are written as `null`.
  static let elementLimit = 256

  private(set) var nodes = [Node()]

  /// Places a property where its path leads.
  ///
  /// - Parameters:
  ///   - path: The path from the object to the value.
  ///   - leaf: What stands there.
  ///   - order: The property's place in the model.
  /// - Returns: Whether the path can be written and the place was free.
  mutating func place(_ path: JSONPath, _ leaf: Leaf, order: Int) -> Bool {
    guard !path.steps.isEmpty, admits(path) else { return false }
    var node = 0
    nodes[0].order = min(nodes[0].order, order)
    for step in path.steps {
      node = child(of: node, step)
      nodes[node].order = min(nodes[node].order, order)
    }
    nodes[node].leaf = leaf
    return true
  }

  /// What stands at the end of a path; nil where nothing does.
  func leaf(at path: JSONPath) -> Leaf? {
    var node = 0
    for step in path.steps {
      guard let next = existing(node, step) else { return nil }
      node = next
    }
    return nodes[node].leaf
  }

  /// Lets a discriminator stand in where an attribute at the same place has no value.
  mutating func setFallback(_ value: [UInt8], at path: JSONPath) {
    var node = 0
    for step in path.steps {
      guard let next = existing(node, step) else { return }
      node = next
    }
    nodes[node].leaf?.fallback = value
  }

  private func admits(_ path: JSONPath) -> Bool {
    var node: Int? = 0
    for step in path.steps {
      if let current = node, nodes[current].leaf != nil { return false }
      switch step {
      case .member:
        if let current = node, !nodes[current].elements.isEmpty { return false }
      case .element(let position):
        guard position < Self.elementLimit, node != 0 else { return false }
        if let current = node, !nodes[current].members.isEmpty { return false }
      case .eachElement, .eachMember, .key, .index, .value: return false
      }
      node = node.flatMap { existing($0, step) }
    }
    return node.map { nodes[$0].isFree } ?? true
  }

  private func existing(_ node: Int, _ step: JSONPath.Step) -> Int? {
    switch step {
    case .member(let name): nodes[node].members.first { $0.name == name }?.node
    case .element(let position): nodes[node].elements[position]
    default: nil
    }
  }

  private mutating func child(of node: Int, _ step: JSONPath.Step) -> Int {
    if let child = existing(node, step) { return child }
    nodes.append(Node())
    let child = nodes.count - 1
    switch step {
    case .member(let name): nodes[node].members.append((name, child))
    case .element(let position): nodes[node].elements[position] = child
    default: break
    }
    return child
  }
}
