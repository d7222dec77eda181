// Finds the property that an export writes at each place in the JSON of an entity's objects. A value cannot be
// written in two forms: if a path leads through the value of another property, or ends at it, the property that
// was placed first stays.

import Graft

/// A property or constant that is written at the end of a path.
struct ExportLeaf {
  enum Kind: Hashable {
    case attribute(Int)
    /// The objects of a relationship: all, or, with `isEach`, one in each element of an array
    /// that the path leads through. `skipped` elements come before them.
    case relationship(Int, isKeyed: Bool, isEach: Bool, skipped: Int)
    /// The value of a discriminator, as JSON.
    case constant([UInt8])
    /// An attribute of the first of a relationship's objects that has a value; these objects read
    /// it there.
    case hoisted(relationship: Int, attribute: Int)
  }

  var kind: Kind
  /// The object that it is read from: 0 for the object itself, others for its shared objects.
  var object: Int
  /// The entity of that object.
  var entity: Int
  /// The JSON for an attribute without a value.
  var fallback: [UInt8]?
  /// The path to one of the objects of a relationship.
  var pathOfObjects = JSONPath()

  var isRelationship: Bool {
    if case .relationship = kind { true } else { false }
  }
}

/// The output at a place in JSON.
struct ExportPlace {
  var leaf: ExportLeaf?
  /// The object that the relationships in each element, or each member, belong to.
  var eachObject = 0
  /// The first place in the model of the properties here and below.
  var order = Int.max
}

/// The places in the JSON of an entity's objects at which something is written.
typealias ExportTree = PathTree<ExportPlace>

extension ExportTree {
  /// The least position in an array that a path must not name.
  ///
  /// Elements before a named position are written as `null`.
  static let elementLimit = 256

  /// Returns whether nothing is written at a node, or below it.
  func isFree(_ node: Int) -> Bool {
    !nodes[node].isObject && !nodes[node].isArray && self[node].leaf == nil
  }

  /// Places a property where its path leads.
  ///
  /// - Parameters:
  ///   - path: The path from the object to the value.
  ///   - leaf: The property or constant to write there.
  ///   - order: The property's place in the model.
  /// - Returns: Whether the path can be written and the place was free.
  mutating func place(_ path: JSONPath, _ leaf: ExportLeaf, order: Int) -> Bool {
    guard !path.steps.isEmpty, admits(leaf, at: path) else { return false }
    var node = 0
    self[0].order = min(self[0].order, order)
    for step in path.steps {
      if step.isWildcard { self[node].eachObject = leaf.object }
      node = makeNode(behind: step, of: node, ExportPlace())
      self[node].order = min(self[node].order, order)
    }
    self[node].leaf = leaf
    return true
  }

  /// Sets the output for an attribute without a value at a path; does nothing if there is no
  /// attribute.
  mutating func setFallback(_ value: [UInt8], at path: JSONPath) {
    if let node = node(at: path.steps) { self[node].leaf?.fallback = value }
  }

  /// Returns the leaf that is written at a path, or on the way to it, and the rest of the path.
  func leaf(on path: JSONPath) -> (ExportLeaf, rest: JSONPath)? {
    var node = 0
    for (index, step) in path.steps.enumerated() {
      guard let next = nodes[node][step] else { return nil }
      node = next
      if let leaf = self[node].leaf {
        return (leaf, JSONPath(Array(path.steps[(index + 1)...])))
      }
    }
    return nil
  }

  private func admits(_ leaf: ExportLeaf, at path: JSONPath) -> Bool {
    var present: Int? = 0
    for step in path.steps {
      switch step {
      case .element(let position): guard position < Self.elementLimit else { return false }
      case .eachElement, .eachMember: guard leaf.isRelationship, present != 0 else { return false }
      case .member: break
      case .elements, .key, .index, .value, .parent, .constant, .file, .line: return false
      }
      guard let node = present else { continue }
      guard self[node].leaf == nil, admits(step, of: leaf, at: nodes[node]) else { return false }
      present = nodes[node][step]
    }
    return present.map(isFree) ?? true
  }

  /// Returns whether a step can be added to the steps that already lead on from a node.
  ///
  /// A value is an object or an array, and its members or elements are written one by one or all alike.
  private func admits(_ step: JSONPath.Step, of leaf: ExportLeaf, at node: Node) -> Bool {
    switch step {
    case .member: !node.isArray && node.eachMember == nil
    case .element: !node.isObject && node.eachElement == nil
    default:
      node.members.isEmpty && node.elements.isEmpty
        && (step == .eachMember ? node.eachElement : node.eachMember) == nil
        && (node[step] == nil || node.content.eachObject == leaf.object)
    }
  }
}
