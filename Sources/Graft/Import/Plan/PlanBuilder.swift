// Compiles the paths of a model's entities into the positions of an `ImportPlan`: a subset
// construction, as from a nondeterministic automaton to a deterministic one. An item is a place
// that one open object still reads at a position; a position is a set of items. Opening objects
// moves the items of those around them one level up. Since paths are finite, so are the positions.

/// A step of a path that an open object, or the document, expects next.
struct PlanItem: Hashable {
  enum Source: Hashable {
    /// The value is at this node of a tree.
    case node(tree: Int, node: Int)
    /// The value is one of the objects of a target.
    case element(tree: Int, target: PathTarget)
    /// The value was found at a later one of a relationship's paths, and counts since there is none at
    /// the earlier ones.
    case late(tree: Int, target: PathTarget)
    /// The place after `steps` steps of a path to one value: a container on the way, or the value after the last step.
    case path(SinglePath, steps: Int)
    /// The value is in an array where only objects are read, or the reverse.
    case inUnread
  }

  /// A path that leads to one value.
  enum SinglePath: Hashable, Comparable {
    /// The path to a slot's value (`OuterValueNeeds`).
    case outer(Int)
    /// The path to a scalar that the options ask for (`ImportOptions.capturedPaths`).
    case captured(Int)
    /// The path to a value that says which entity an object is of (`PlanBuilder.decidingPaths`).
    case deciding(Int)
  }

  /// The number of parsers from the innermost up to the object that reads.
  var levelsUp: Int
  var source: Source

  /// Returns the item at a node that is a child of the item's own.
  fileprivate func child(_ node: Int) -> PlanItem {
    guard case .node(let tree, _) = source else { return self }
    return PlanItem(levelsUp: levelsUp, source: .node(tree: tree, node: node))
  }

  /// Returns the item inside an object of the graph, or several, that begin at its position.
  fileprivate func inside(_ count: Int) -> PlanItem {
    switch source {
    case .path, .inUnread: self
    case .node, .element, .late:
      PlanItem(levelsUp: levelsUp + count, source: source)
    }
  }
}

/// Compiles a model and an import's roots into a plan.
final class PlanBuilder {
  /// The number of the tree that holds the roots' paths.
  static let document = -1
  /// More positions than any model needs, so that a model that multiplies them is refused instead
  /// of filling the memory.
  private static let maximumValues = 100_000
  /// More objects than any model reads from one JSON object, for the same reason.
  private static let maximumObjectsAtOnce = 1_024
  /// More objects and arrays than any model has, sub-entities counted at each place of theirs.
  private static let maximumContainers = 1_000_000

  let schema: ModelSchema
  let roots: [ImportRoot]
  /// The numbers of the roots' entities.
  private(set) var entitiesOfRoots: [Int] = []
  let options: ImportOptions
  private(set) var entities: [EntityPlan]
  let tables = PlanTables()
  var trees = [Int: ImportTree]()
  /// The items that occur anywhere; a position is a list of their numbers in order.
  private var items: [PlanItem] = []
  private var itemNumbers = [PlanItem: Int]()
  /// The `ValueNode` of each position.
  private var numbers = [[Int]: Int32]()
  /// The positions that have a number and are not compiled yet.
  private var pending: [(number: Int32, items: [Int])] = []
  private var propertyNumbers = [PropertyKey: Int32]()
  private var interiors: [Interior] = []
  private var interiorNumbers = [[Int]: Int32]()
  /// Whether the positions of an entity depend on the content of its objects, for each entity
  /// examined so far; nil for others.
  var openEntities: [Bool?]
  /// The values that objects read of enclosing JSON objects.
  var outerValues = OuterValueNeeds()
  /// The paths of discriminators, whose keys are known even if no property reads them.
  private var decidingPaths: [JSONPath] = []

  struct PropertyKey: Hashable {
    var tree: Int
    var kind: PathTarget.Kind
  }

  /// The nodes inside a container.
  ///
  /// They are the same for all receivers of its objects, so they are compiled once.
  /// If *n* entities lead to each other, each has the same interior at *n* places.
  private struct Interior {
    var ownStarts: Range32
    var ownActions: Range32
    var keys: KeyTable
    var elements: Range32
    var otherwise: Int32
  }

  init(schema: ModelSchema, roots: [ImportRoot], options: ImportOptions) {
    self.schema = schema
    self.roots = roots
    self.options = options
    entities = schema.entities.map { EntityPlan($0, in: schema, options) }
    openEntities = entities.map { _ in nil }
  }

  /// Compiles all that can be reached from the document.
  ///
  /// - Returns: The position of the document itself.
  func compileRoots() throws -> Int32 {
    var tree = ImportTree()
    for (number, root) in roots.enumerated() {
      let entity = try schema.entityNumber(of: root)
      entitiesOfRoots.append(entity)
      guard root.path.leadsToObjects else {
        throw ImportError(
          kind: .model, entity: root.entity,
          message:
            "the root path \"\(root.path)\" leads to a single value, expected a path to objects")
      }
      let path = root.path.path(ofCollectionOf: schema.entities[entity])
      tree.add(path, .root(number), pathIndex: 0)
    }
    trees[Self.document] = tree
    try findOuterValues()
    tables.hooks = try byEntity(options.hooks, "hooks are given")
    try checkValidators()
    tables.deletionScopes = try byEntity(options.deletionScopes, "a deletion scope is given")
    try adoptModifiedAttributes()
    try checkCapturedPaths()
    let captured = options.capturedPaths.indices.map {
      PlanItem(levelsUp: 0, source: .path(.captured($0), steps: 0))
    }
    let document = PlanItem(levelsUp: 0, source: .node(tree: Self.document, node: 0))
    let root = try value(([document] + captured).map { number(of: $0) })
    while let next = pending.popLast() { try compile(next.items, as: next.number) }
    return root
  }

  /// Returns the number by which positions refer to an item.
  func number(of item: PlanItem) -> Int {
    if let number = itemNumbers[item] { return number }
    itemNumbers[item] = items.count
    items.append(item)
    return items.count - 1
  }

  /// Returns the number of the `ValueNode` of the items of these numbers, which is compiled later.
  ///
  /// Recursion would be too deep: one node leads to the next through as many entities as the model has.
  func value(_ given: [Int]) throws -> Int32 {
    guard !given.isEmpty else { return -1 }
    let items = Set(given).sorted()
    if let number = numbers[items] { return number }
    guard tables.values.count < Self.maximumValues else {
      throw ImportError(
        kind: .model, message: "the model's paths lead to more than \(Self.maximumValues) positions"
      )
    }
    let number = Int32(tables.values.count)
    numbers[items] = number
    tables.values.append(ValueNode(scalars: Range32(), object: -1, array: -1))
    pending.append((number, items))
    return number
  }

  private func compile(_ numbers: [Int], as number: Int32) throws {
    var position = PlanPosition()
    let items = numbers.map { self.items[$0] }
    for item in items.inOrder(by: { $0.precedes($1) }) { try add(item, to: &position) }
    addUnread(items, to: &position)
    let object = try container(position.object)
    let array = try container(position.array)
    let scalars = tables.add(position.scalars)
    tables.values[Int(number)] = ValueNode(scalars: scalars, object: object, array: array)
  }

  /// Returns the container that begins with these actions and holds these items, its objects being
  /// of just these entities.
  func compile(_ given: PlanPosition.Container) throws -> Int32 {
    guard tables.containers.count < Self.maximumContainers else {
      throw ImportError(
        kind: .model,
        message: "the model's paths, with the sub-entities at each, lead to more than"
          + " \(Self.maximumContainers) objects and arrays; let fewer relationships lead to entities"
          + " with many sub-entities")
    }
    let content = try withOwnObjects(given)
    let interior = try interior(of: content)
    let handOffs = content.opens.map { handOff($0.entity, $0.handBacks) }
    tables.containers.append(
      ContainerNode(
        starts: tables.add(content.starts), handOffs: tables.add(handOffs),
        ownStarts: interior.ownStarts, ownActions: interior.ownActions, keys: interior.keys,
        elements: interior.elements, otherwise: interior.otherwise, decision: -1,
        watch: watch(content), number: Int32(tables.containers.count)))
    return Int32(tables.containers.count - 1)
  }

  /// Returns the nodes inside a container, compiled at its first place.
  private func interior(of content: PlanPosition.Container) throws -> Interior {
    let key = interiorKey(content)
    if let number = interiorNumbers[key] { return interiors[Int(number)] }
    let opened = content.opens.count
    var ownStarts: [StartAction] = []
    var ownActions: [PropertyAction] = []
    var inside = content.inside.map { $0.inside(opened) }
    for value in outerValues(of: content) where value.path.firstKey != nil {
      inside.append(PlanItem(levelsUp: 0, source: .path(.outer(value.slot), steps: 0)))
    }
    if content.isObject { inside += decidingItems(of: content.opens) }
    for (index, open) in content.opens.enumerated() {
      let item = PlanItem(
        levelsUp: opened - 1 - index, source: .node(tree: Int(open.entity), node: 0))
      inside.append(item)
      let own = ownCollections(of: item, isObject: content.isObject)
      inside += own.elements
      ownStarts += own.starts
      ownActions += try self.ownActions(of: item, index: open.index)
    }
    let members = try content.isObject ? self.members(of: inside) : ([[UInt8]: Int32](), -1)
    let elements = try content.isObject ? ([], -1) : self.elements(of: inside)
    let keys = KeyTable(members.0.map { ($0.key, $0.value) })
    tables.keyTables.append(keys)
    let interior = Interior(
      ownStarts: tables.add(ownStarts), ownActions: tables.add(ownActions), keys: keys,
      elements: tables.add(elements.0), otherwise: content.isObject ? members.1 : elements.1)
    interiorNumbers[key] = Int32(interiors.count)
    interiors.append(interior)
    return interior
  }

  /// Returns what the nodes inside a container depend on: its kind, its items and the objects that begin with it.
  private func interiorKey(_ content: PlanPosition.Container) -> [Int] {
    let opens = content.opens.flatMap { [Int($0.entity), $0.index.rawValue] }
    let inside = content.inside.map { number(of: $0) }
    return [content.isObject ? 1 : 0, content.opens.count] + opens + inside
  }

  /// Returns the items of the discriminators of objects that begin.
  private func decidingItems(of opens: [PlanPosition.Open]) -> [PlanItem] {
    let paths = opens.flatMap { open in
      schema.lineage(of: schema.entities[Int(open.entity)]).flatMap(\.discriminators)
    }
    return paths.filter { $0.firstKey != nil }.map { path in
      let number = decidingPaths.firstIndex(of: path) ?? decidingPaths.count
      if number == decidingPaths.count { decidingPaths.append(path) }
      return PlanItem(levelsUp: 0, source: .path(.deciding(number), steps: 0))
    }
  }

  /// Returns the hand-off of an object that begins; it is found by another attribute than its identity if the model
  /// says so.
  func handOff(_ entity: Int32, _ handBacks: [HandBack]) -> HandOff {
    var relatedBy: Int?
    for handBack in handBacks where handBack.kind != .root && relatedBy == nil {
      let plan = tables.properties[Int(handBack.property)]
      if !plan.isIdentity { relatedBy = plan.attribute }
    }
    return HandOff(
      entity: entity, relatedBy: Int32(relatedBy ?? -1),
      fillsTarget: entities[Int(entity)].fillsExistingTarget
        && handBacks.contains { $0.kind == .toOne },
      handBacks: tables.add(handBacks))
  }

  /// Returns the reasons to examine the keys of a container one by one.
  private func watch(_ content: PlanPosition.Container) -> KeyWatch {
    var watch: KeyWatch = []
    let leadsToRoot = content.inside.contains { item in
      if case .node(Self.document, _) = item.source { true } else { false }
    }
    if leadsToRoot { watch.insert(.leadsToRoot) }
    let isRead = !content.opens.isEmpty || !content.inside.isEmpty
    if isRead, options.unknownKeys != .skip || options.reportsCoverage,
      !content.starts.contains(where: \.isCapture)
    {
      watch.insert(.unknown)
    }
    if isRead, options.refusesDuplicateKeys { watch.insert(.duplicate) }
    return watch
  }

  /// Checks that each captured scalar is at one place.
  ///
  /// - Throws: ``ImportError`` that names a path with a wildcard.
  private func checkCapturedPaths() throws(ImportError) {
    for path in options.capturedPaths {
      for step in path.steps {
        switch step {
        case .member, .element: continue
        default:
          throw ImportError(
            kind: .model,
            message:
              "the path \"\(path)\" may lead to several values, or to none of the document; expected names"
              + " and indexes, such as \"meta.next\"")
        }
      }
    }
  }

  /// Returns the next step of an item that follows a single path, and the item behind the step; nil for other items.
  private func step(of item: PlanItem) -> (JSONPath.Step, PlanItem)? {
    guard case .path(let path, let steps) = item.source else { return nil }
    return (
      self.steps(of: path)[steps],
      PlanItem(levelsUp: 0, source: .path(path, steps: steps + 1))
    )
  }

  /// Returns the steps of a path that leads to one value.
  func steps(of path: PlanItem.SinglePath) -> [JSONPath.Step] {
    switch path {
    case .outer(let slot): outerValues.paths[slot].steps
    case .captured(let number): options.capturedPaths[number].steps
    case .deciding(let number): decidingPaths[number].steps
    }
  }

  /// Returns the values of an object's members by key, and of all others.
  ///
  /// A path that names a member and `*` both read it, unless ``isReadAsAnother(_:beside:in:)``.
  private func members(of items: [PlanItem]) throws -> ([[UInt8]: Int32], Int32) {
    var named = [[UInt8]: [Int]]()
    var others: [Int] = []
    var passedOver = [[UInt8]: [Int]]()
    for item in items {
      if let (step, behind) = step(of: item), case .member(let name) = step {
        named[Array(name.utf8), default: []].append(number(of: behind))
      }
      if case .inUnread = item.source { others.append(number(of: item)) }
      guard case .node(let tree, let node) = item.source else { continue }
      let position = self.tree(tree).nodes[node]
      let other = position.eachMember.map { number(of: item.child($0)) }
      for (name, child) in position.members {
        named[name, default: []].append(number(of: item.child(child)))
        if let other, let each = position.eachMember, isReadAsAnother(child, beside: each, in: tree)
        {
          passedOver[name, default: []].append(other)
        }
      }
      if let other { others.append(other) }
    }
    var values = [[UInt8]: Int32]()
    // In order: a model with several errors then throws the same one each time.
    for (name, items) in named.inOrder(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let passed = passedOver[name] ?? []
      values[name] = try value(items + others.filter { !passed.contains($0) })
    }
    return (values, try value(others))
  }

  /// Returns whether other properties read a member, beside a `*` that leads to objects.
  ///
  /// Such a member is none of those objects: `{"name": "x", "about": {…}, "web": {…}, "db": {…}}` has two at `*` where
  /// `name` is an attribute and `about` is a relationship to objects of another entity. A relationship to objects of the
  /// same entity, or of one that inherits from it, gives one of those at `*` a name.
  private func isReadAsAnother(_ member: Int, beside each: Int, in entity: Int) -> Bool {
    guard entity != Self.document else { return false }
    let tree = tree(entity)
    let node = tree.nodes[member]
    let readers = node.content.targets + node.content.collections
    let isAttribute = readers.contains { destinations(of: $0, in: entity) == nil }
    // Attributes on the way through an object leave it an object.
    guard !readers.isEmpty, !isAttribute || !node.isObject && !node.isArray else { return false }
    let others = Set(readers.flatMap { destinations(of: $0, in: entity) ?? [] })
    return !tree[each].targets.isEmpty
      && tree[each].targets.allSatisfy { target in
        guard let family = destinations(of: target, in: entity) else { return false }
        return others.isDisjoint(with: family)
          && !(isAttribute && family.contains { readsScalars(schema.entities[$0]) })
      }
  }

  /// Returns the numbers of the entities whose objects a relationship may have; nil for an attribute.
  private func destinations(of target: PathTarget, in entity: Int) -> [Int]? {
    target.relationship.map {
      schema.entities[schema.entities[entity].relationships[$0].destination].family
    }
  }

  private func readsScalars(_ entity: EntitySchema) -> Bool {
    entity.attributes.contains { $0.paths.contains { $0.steps.contains(.value) } }
  }

  /// Returns the values of an array's elements at known indexes, and of all others.
  private func elements(of items: [PlanItem]) throws -> ([ElementEntry], Int32) {
    var placed = [Int: [Int]]()
    var others: [Int] = []
    var slices: [(first: Int, item: Int)] = []
    for item in items {
      if let (step, behind) = step(of: item) {
        if case .element(let index) = step {
          placed[index, default: []].append(number(of: behind))
        }
        continue
      }
      guard case .node(let tree, let node) = item.source else {
        others.append(number(of: item))
        continue
      }
      let position = self.tree(tree).nodes[node]
      for (index, child) in position.elements {
        placed[index, default: []].append(number(of: item.child(child)))
      }
      if let child = position.eachElement { others.append(number(of: item.child(child))) }
      for (first, child) in position.slices {
        slices.append((first, number(of: item.child(child))))
      }
    }
    // The elements before a slice are known by their indexes, and all others are in it.
    for index in 0..<(slices.map(\.first).max() ?? 0) where placed[index] == nil {
      placed[index] = []
    }
    var entries: [ElementEntry] = []
    for (index, items) in placed.sortedByKey() {
      let sliced = slices.filter { $0.first <= index }.map(\.item)
      entries.append(
        ElementEntry(position: Int32(clamping: index), value: try value(items + sliced + others)))
    }
    return (entries, try value(others + slices.map(\.item)))
  }

  /// Returns the paths of an entity as a tree, made at the first request.
  func tree(_ number: Int) -> ImportTree {
    if let tree = trees[number] { return tree }
    var tree = ImportTree()
    let entity = schema.entities[number]
    for (number, attribute) in entity.attributes.enumerated() {
      for (pathIndex, path) in attribute.paths.enumerated() {
        tree.add(path, .attribute(number), pathIndex: min(pathIndex, 255))
      }
    }
    for (number, relationship) in entity.relationships.enumerated() {
      for (pathIndex, path) in relationship.paths.enumerated() {
        let destination = schema.entities[relationship.destination]
        let path = relationship.isToMany ? path.path(ofCollectionOf: destination) : path
        tree.add(path, .relationship(number), pathIndex: min(pathIndex, 255))
      }
      for path in relationship.identifierPaths {
        tree.add(path, .identifiers(number), pathIndex: min(relationship.paths.count, 255))
      }
    }
    trees[number] = tree
    return tree
  }

  /// Returns the property's number in the plan.
  func property(_ tree: Int, _ kind: PathTarget.Kind) -> Int32 {
    let key = PropertyKey(tree: tree, kind: kind)
    if let number = propertyNumbers[key] { return number }
    tables.properties.append(PropertyPlan(tree, kind, in: self))
    propertyNumbers[key] = Int32(tables.properties.count - 1)
    return Int32(tables.properties.count - 1)
  }
}

// MARK: - Objects read from the object of their owner

extension PlanBuilder {
  /// Adds the objects that a relationship at `$` reads from the JSON object of its owner: fields of one
  /// JSON object fill two objects of the graph.
  ///
  /// Both begin with it; the related one ends first and is handed to its owner like any other.
  func withOwnObjects(_ given: PlanPosition.Container) throws -> PlanPosition.Container {
    var content = given
    var ancestors = given.opens.map { [Int($0.entity)] }
    var index = 0
    while index < content.opens.count {
      guard content.opens.count <= Self.maximumObjectsAtOnce else {
        let entity = schema.entities[ancestors[index][0]].name
        throw ImportError(
          kind: .model, entity: entity,
          message:
            "relationships at \"$\" make more than \(Self.maximumObjectsAtOnce) objects of one JSON"
            + " object of \(entity); name another path for some of them")
      }
      let owner = entities[Int(content.opens[index].entity)]
      let entity = owner.schema
      for (number, pathIndex) in owner.relationshipsAtObject {
        let relationship = entity.relationships[number]
        let destination = schema.entities[relationship.destination]
        guard !relationship.isToMany, !ancestors[index].contains(destination.number) else {
          throw ImportError(
            kind: .model, entity: entity.name, property: relationship.name,
            message: relationship.isToMany
              ? "\(entity.name).\(relationship.name): one object cannot be read as an array; name a path"
                + " to an array, or make the relationship to-one"
              : "\(entity.name).\(relationship.name): the path \"$\" leads from \(destination.name) to itself;"
                + " name another path for one of the relationships on the way")
        }
        // `levelsUp` counts from the parser below the first that begins here; the owner is number `index`.
        let handBack = HandBack(
          kind: .toOne, pathIndex: UInt8(clamping: pathIndex), levelsUp: Int32(-1 - index),
          number: Int32(number), property: property(entity.number, .relationship(number)))
        content.opens.append(
          PlanPosition.Open(
            entity: Int32(destination.number), handBacks: [handBack],
            index: content.opens[index].index))
        ancestors.append(ancestors[index] + [destination.number])
      }
      index += 1
    }
    return content
  }
}

// MARK: - Options by entity

extension PlanBuilder {
  /// Gives entities the modification attributes that the options name, where the model has none.
  ///
  /// - Throws: ``ImportError`` if the model lacks an entity or attribute, or values of the
  ///   attribute do not grow.
  private func adoptModifiedAttributes() throws {
    let given = options.modifiedAttributes
    let inherited = try byEntity(given, "a modification attribute is given")
    for (entity, name) in given.sortedByKey() {
      guard let number = schema.entityNumbers[entity] else { continue }
      try check(name, isModifiedAttributeOf: schema.entities[number])
    }
    for (number, name) in inherited.enumerated() where entities[number].modifiedAttribute == nil {
      entities[number].modifiedAttribute =
        name.flatMap { name in
          schema.entities[number].attributeNumber(named: name)
        }
    }
  }

  /// Refuses validators of attributes that neither the entity nor an entity below it has.
  private func checkValidators() throws {
    for (name, hooks) in options.hooks.sortedByKey() {
      guard let number = schema.entityNumbers[name] else { continue }
      let family = schema.entities[number].family.map { schema.entities[$0] }
      let known = Set(family.flatMap { $0.attributes.map(\.name) })
      for attribute in hooks.validators.keys.sorted() where !known.contains(attribute) {
        let isRelationship = family.contains { $0.relationships.contains { $0.name == attribute } }
        throw ImportError(
          kind: .model, entity: name, property: attribute,
          message: "a validator is given for \"\(attribute)\", which is "
            + (isRelationship
              ? "a relationship of \(name), and validators are for attributes"
              : "no attribute of \(name)" + suggestion(for: attribute, in: known.sorted())))
      }
    }
  }

  private func check(_ name: String, isModifiedAttributeOf entity: EntitySchema) throws {
    let given = "the modification attribute of \(entity.name) is given as \"\(name)\""
    guard let number = entity.attributeNumber(named: name) else {
      throw ImportError(
        kind: .model,
        message: "\(given), which is no attribute of it"
          + suggestion(for: name, in: entity.attributes.map(\.name)))
    }
    let type = entity.attributes[number].type
    guard type.ordersVersions else {
      throw ImportError(
        kind: .model,
        message: "\(given), \(type.withArticle); expected a date, a number or a string")
    }
  }

  /// Returns the options for each entity: its own, or the ones of the nearest entity above that has
  /// any.
  ///
  /// - Parameters:
  ///   - given: The options, by the names of entities.
  ///   - what: A name for the options, to be followed by "for".
  /// - Returns: By the numbers of the entities; empty if nothing is given.
  /// - Throws: ``ImportError`` if the model lacks a name.
  func byEntity<Value>(_ given: [String: Value], _ what: String) throws -> [Value?] {
    guard !given.isEmpty else { return [] }
    for name in given.keys.sorted() where schema.entityNumbers[name] == nil {
      throw ImportError(
        kind: .model,
        entity: name, message: "\(what) for the \(schema.unknownEntity(name))")
    }
    return schema.entities.map { entity in
      schema.lineage(of: entity).lazy.compactMap { given[$0.name] }.first
    }
  }
}

extension PlanItem {
  /// Returns an order that does not depend on hashing, so that the same model gives the same plan.
  fileprivate func precedes(_ other: PlanItem) -> Bool {
    if levelsUp != other.levelsUp { return levelsUp < other.levelsUp }
    switch (source, other.source) {
    case (.node(let tree, let node), .node(let otherTree, let otherNode)):
      return (tree, node) < (otherTree, otherNode)
    case (.element(let left, let first), .element(let right, let second)),
      (.late(let left, let first), .late(let right, let second)):
      return left != right ? left < right : "\(first)" < "\(second)"
    case (.path(let left, let steps), .path(let right, let otherSteps)):
      return (left, steps) < (right, otherSteps)
    case (.inUnread, _): return false
    case (.node, _), (.element, .late), (.element, .path), (.late, .path), (_, .inUnread):
      return true
    case (.element, _), (.late, _), (.path, _): return false
    }
  }
}
