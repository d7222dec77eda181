// The plans of an import and of an export are made of the same paths, seen from two sides: one asks what
// is read at a place in JSON, the other what is written there. Both put the paths of an entity into a
// tree, in which paths that begin alike share their first nodes. `home.city` and `home.planet` make a
// node for `home`, which has two members.

/// JSON paths as one tree; each node has a value.
package struct PathTree<Content> {
  /// A place in JSON, seen from the object at which the paths begin.
  package struct Node {
    /// The nodes of members, by the bytes of their names.
    package fileprivate(set) var members = [[UInt8]: Int]()
    /// The nodes of elements, by their indexes.
    package fileprivate(set) var elements = [Int: Int]()
    /// The node of all members (`*`).
    package fileprivate(set) var eachMember: Int?
    /// The node of all elements (`[*]`).
    package fileprivate(set) var eachElement: Int?
    /// The nodes of all elements from an index on (`[2*]`), by that index.
    fileprivate(set) var slices = [Int: Int]()
    package var content: Content

    /// Whether a path goes on into an object.
    package var isObject: Bool { !members.isEmpty || eachMember != nil }
    /// Whether a path goes on into an array.
    package var isArray: Bool { !elements.isEmpty || eachElement != nil || !slices.isEmpty }

    /// The node behind a step; nil if no path goes there.
    package fileprivate(set) subscript(step: JSONPath.Step) -> Int? {
      get {
        switch step {
        case .member(let name): members[Array(name.utf8)]
        case .element(let index): elements[index]
        case .eachMember: eachMember
        case .eachElement: eachElement
        case .elements(let first): slices[first]
        case .key, .index, .value, .parent, .constant, .file, .line: nil
        }
      }
      set {
        switch step {
        case .member(let name): members[Array(name.utf8)] = newValue
        case .element(let index): elements[index] = newValue
        case .eachMember: eachMember = newValue
        case .eachElement: eachElement = newValue
        case .elements(let first): slices[first] = newValue
        // These say what is read at a place, and do not lead to another one.
        case .key, .index, .value, .parent, .constant, .file, .line: break
        }
      }
    }
  }

  package private(set) var nodes: [Node]

  /// Creates a tree of one node, at which the paths begin.
  package init(_ content: Content) { nodes = [Node(content: content)] }

  /// The content of a node.
  package subscript(node: Int) -> Content {
    get { nodes[node].content }
    set { nodes[node].content = newValue }
  }

  /// Returns the node behind a step of a node, or a new one with this content.
  package mutating func makeNode(
    behind step: JSONPath.Step, of node: Int, _ content: Content
  ) -> Int {
    if let child = nodes[node][step] { return child }
    nodes[node][step] = nodes.count
    nodes.append(Node(content: content))
    return nodes.count - 1
  }

  /// Returns the node to which steps lead; nil if no path goes there.
  package func node(at steps: some Sequence<JSONPath.Step>) -> Int? {
    var node = 0
    for step in steps {
      guard let next = nodes[node][step] else { return nil }
      node = next
    }
    return node
  }
}
