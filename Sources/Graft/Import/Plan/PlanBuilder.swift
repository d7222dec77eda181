// Compiles the paths of a model's entities into the positions of an `ImportPlan`: a subset
// construction, as from a nondeterministic automaton to a deterministic one. An item says what one
// open object still reads at a position; a position is a set of items. Opening objects moves the
// items of those around them one level up. Since paths are finite, so are the positions.

/// What one of the open objects, or the document, reads at a position.
struct PlanItem: Hashable {
  enum Source: Hashable {
    /// The value is at this node of a trie.
    case node(trie: Int, node: Int)
    /// The value is one of the objects of a target.
    case element(trie: Int, target: PathTarget)
  }

  /// How many of the open objects stand between the innermost and the one that reads.
  var up: Int
  var source: Source
}

/// Compiles a model and an import's roots into a plan.
struct PlanBuilder {
  /// The number of the trie that holds the roots' paths.
  static let document = -1
  /// More positions than any model needs, so that a model that multiplies them is refused instead
  /// of filling the memory.
  static let maximumValues = 100_000

  let schema: ModelSchema
  let roots: [ImportRoot]
  let options: ImportOptions
  private(set) var entities: [EntityPlan]
  var tables = PlanTables()
  var tries: [Int: PathTrie] = [:]
  private var numbers: [Set<PlanItem>: Int32] = [:]
  private var propertyNumbers: [PropertyKey: Int32] = [:]

  struct PropertyKey: Hashable {
    var trie: Int
    var kind: PathTarget.Kind
  }

  init(schema: ModelSchema, roots: [ImportRoot], options: ImportOptions) {
    self.schema = schema
    self.roots = roots
    self.options = options
    entities = schema.entities.map { EntityPlan($0, in: schema, options) }
  }

  /// Lays the roots' paths over one another, and compiles all that can be reached from the
  /// document.
  ///
  /// - Returns: The position of the document itself.
  mutating func compileRoots() throws -> Int32 {
    var trie = PathTrie()
    for (number, root) in roots.enumerated() {
      _ = try schema.entityNumber(of: root)
      trie.add(root.path.collectionPath, .root(number), rank: 0)
    }
    tries[Self.document] = trie
    tables.hooks = try byEntity(options.hooks, "hooks are given")
    tables.deletionScopes = try byEntity(options.deletionScopes, "a deletion scope is given")
    try adoptModifiedAttributes(&entities)
    return try value([PlanItem(up: 0, source: .node(trie: Self.document, node: 0))])
  }

  /// The number of the `ValueNode` of these items, compiled at the first request.
  mutating func value(_ items: Set<PlanItem>) throws -> Int32 {
    guard !items.isEmpty else { return -1 }
    if let number = numbers[items] { return number }
    guard tables.values.count < Self.maximumValues else {
      throw ImportError(
        kind: .model, message: "the model's paths lead to more than \(Self.maximumValues) positions"
      )
    }
    let number = Int32(tables.values.count)
    numbers[items] = number
    tables.values.append(ValueNode(scalars: Range32(), object: -1, array: -1))
    var position = PlanPosition()
    for item in items.sorted(by: { $0.stands(before: $1) }) { try add(item, to: &position) }
    let object = try container(position.object)
    let array = try container(position.array)
    let scalars = tables.add(position.scalars)
    tables.values[Int(number)] = ValueNode(scalars: scalars, object: object, array: array)
    return number
  }

  /// The container that begins with these actions and holds these items, its objects being of just
  /// these entities.
  mutating func compile(_ given: PlanPosition.Container) throws -> Int32 {
    let content = try withOwnObjects(given)
    let opened = content.opens.count
    var placeActions: [ScalarAction] = []
    var inside = content.inside.map { PlanItem(up: $0.up + opened, source: $0.source) }
    for (index, open) in content.opens.enumerated() {
      let item = PlanItem(
        up: opened - 1 - index, source: .node(trie: Int(open.entity), node: 0))
      inside.append(item)
      placeActions += try self.placeActions(of: item)
    }
    let members = try content.isObject ? self.members(of: inside) : ([:], -1)
    let elements = try content.isObject ? ([], -1) : self.elements(of: inside)
    let keys = KeyTable(members.0.map { ($0.key, $0.value) })
    let handOffs = content.opens.map { handOff($0.entity, $0.handBacks) }
    tables.containers.append(
      ContainerNode(
        starts: tables.add(content.starts), handOffs: tables.add(handOffs),
        placeActions: tables.add(placeActions),
        keys: keys, elements: tables.add(elements.0),
        otherwise: content.isObject ? members.1 : elements.1, decision: -1,
        watch: watch(content)))
    return Int32(tables.containers.count - 1)
  }

  /// The beginning of an object, which is found by another attribute than its identity where the
  /// model says so.
  mutating func handOff(_ entity: Int32, _ handBacks: [HandBack]) -> HandOff {
    var relatedBy: Int?
    for handBack in handBacks where handBack.kind != .root && relatedBy == nil {
      let plan = tables.properties[Int(handBack.property)]
      if !plan.isIdentity { relatedBy = plan.attribute }
    }
    if let relatedBy {
      if tables.lookedUp.isEmpty { tables.lookedUp = schema.entities.map { _ in [] } }
      for member in schema.entities[Int(entity)].family {
        tables.lookedUp[member].insert(relatedBy)
      }
    }
    return HandOff(
      entity: entity, relatedBy: Int32(relatedBy ?? -1), handBacks: tables.add(handBacks))
  }

  /// Why the keys in a container are looked at one by one.
  private func watch(_ content: PlanPosition.Container) -> KeyWatch {
    var watch: KeyWatch = []
    let leadsToRoot = content.inside.contains { item in
      if case .node(Self.document, _) = item.source { true } else { false }
    }
    if leadsToRoot { watch.insert(.leadsToRoot) }
    let isRead = !content.opens.isEmpty || !content.inside.isEmpty
    if isRead, options.unknownKeys != .skip,
      !content.starts.contains(where: { $0.kind == .capture })
    {
      watch.insert(.unknown)
    }
    if isRead, options.refusesDuplicateKeys { watch.insert(.duplicate) }
    return watch
  }

  /// The values of an object's members by key, and of all others.
  private mutating func members(of items: [PlanItem]) throws -> ([[UInt8]: Int32], Int32) {
    var named: [[UInt8]: Set<PlanItem>] = [:]
    var others: Set<PlanItem> = []
    for item in items {
      guard case .node(let trie, let node) = item.source else { continue }
      let position = self.trie(trie).nodes[node]
      for (name, child) in position.members {
        named[name, default: []].insert(
          PlanItem(up: item.up, source: .node(trie: trie, node: child)))
      }
      if let child = position.eachMember {
        others.insert(PlanItem(up: item.up, source: .node(trie: trie, node: child)))
      }
    }
    var values: [[UInt8]: Int32] = [:]
    for (name, items) in named { values[name] = try value(items.union(others)) }
    return (values, try value(others))
  }

  /// The values of an array's elements at known indexes, and of all others.
  private mutating func elements(of items: [PlanItem]) throws -> ([ElementEntry], Int32) {
    var placed: [Int: Set<PlanItem>] = [:]
    var others: Set<PlanItem> = []
    for item in items {
      guard case .node(let trie, let node) = item.source else {
        others.insert(item)
        continue
      }
      let position = self.trie(trie).nodes[node]
      for (index, child) in position.elements {
        placed[index, default: []].insert(
          PlanItem(up: item.up, source: .node(trie: trie, node: child)))
      }
      if let child = position.eachElement {
        others.insert(PlanItem(up: item.up, source: .node(trie: trie, node: child)))
      }
    }
    var entries: [ElementEntry] = []
    for (index, items) in placed.sorted(by: { $0.key < $1.key }) {
      entries.append(
        ElementEntry(position: Int32(clamping: index), value: try value(items.union(others))))
    }
    return (entries, try value(others))
  }

  /// The paths of an entity, laid over one another at the first request.
  mutating func trie(_ number: Int) -> PathTrie {
    if let trie = tries[number] { return trie }
    var trie = PathTrie()
    let entity = schema.entities[number]
    for (number, attribute) in entity.attributes.enumerated() {
      for (rank, path) in attribute.paths.enumerated() {
        trie.add(path, .attribute(number), rank: min(rank, 255))
      }
    }
    for (number, relationship) in entity.relationships.enumerated() {
      for (rank, path) in relationship.paths.enumerated() {
        let path = relationship.isToMany ? path.collectionPath : path
        trie.add(path, .relationship(number), rank: min(rank, 255))
      }
      for path in relationship.identifierPaths {
        trie.add(path, .identifiers(number), rank: min(relationship.paths.count, 255))
      }
    }
    tries[number] = trie
    return trie
  }

  /// The property's number in the plan.
  mutating func property(_ trie: Int, _ kind: PathTarget.Kind) -> Int32 {
    let key = PropertyKey(trie: trie, kind: kind)
    if let number = propertyNumbers[key] { return number }
    tables.properties.append(PropertyPlan(trie, kind, in: self))
    propertyNumbers[key] = Int32(tables.properties.count - 1)
    return Int32(tables.properties.count - 1)
  }
}

extension PlanItem {
  /// An order that does not depend on hashing, so that the same model gives the same plan.
  fileprivate func stands(before other: PlanItem) -> Bool {
    if up != other.up { return up < other.up }
    switch (source, other.source) {
    case (.node(let trie, let node), .node(let otherTrie, let otherNode)):
      return (trie, node) < (otherTrie, otherNode)
    case (.node, .element): return true
    case (.element, .node): return false
    case (.element(let left, let first), .element(let right, let second)):
      return left != right ? left < right : "\(first)" < "\(second)"
    }
  }
}
