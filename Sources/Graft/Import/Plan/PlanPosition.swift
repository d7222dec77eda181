// What happens at one position of the document: each item that is there adds its actions. With
// `"user": …` in a tweet, a scalar is the identity of the author, an object is the author, and an array
// is an error.

/// What is known of a position while its items are gathered.
struct PlanPosition {
  /// What happens to an object, or to an array, that begins at the position.
  struct Container {
    let isObject: Bool
    var starts: [StartAction] = []
    var opens: [(entity: Int32, handBacks: [HandBack])] = []
    /// What is read inside, `up` counted without the objects that begin here.
    var inside: [PlanItem] = []

    var isEmpty: Bool { starts.isEmpty && opens.isEmpty && inside.isEmpty }

    /// Begins an object of an entity, or hands the one that begins already to one more relationship.
    mutating func open(_ entity: Int, for handBack: HandBack) {
      if let index = opens.firstIndex(where: { $0.entity == entity }) {
        opens[index].handBacks.append(handBack)
      } else {
        opens.append((Int32(entity), [handBack]))
      }
    }
  }

  var scalars: [ScalarAction] = []
  var object = Container(isObject: true)
  var array = Container(isObject: false)
}

extension PlanBuilder {
  /// Adds what an item does at a position.
  mutating func add(_ item: PlanItem, to position: inout PlanPosition) throws {
    switch item.source {
    case .element(let trie, let target): try addElement(item, trie, target, to: &position)
    case .node(let trie, let number):
      let node = self.trie(trie).nodes[number]
      if !node.members.isEmpty || node.eachMember != nil { position.object.inside.append(item) }
      if !node.elements.isEmpty || node.eachElement != nil { position.array.inside.append(item) }
      for target in node.collections {
        let start = self.start(.collection, item, trie, target)
        if node.eachMember != nil { position.object.starts.append(start) }
        if node.eachElement != nil { position.array.starts.append(start) }
        position.scalars.append(scalar(.container, item, trie, target))
      }
      for target in node.targets where number != 0 || target.part == .value {
        try add(target, of: item, trie, to: &position)
      }
    }
  }

  /// What the key and the index of an object give to it: the targets at the root of its own trie.
  mutating func keyAndIndexActions(of item: PlanItem) throws -> [ScalarAction] {
    guard case .node(let trie, let number) = item.source else { return [] }
    let targets = self.trie(trie).nodes[number].targets
    return try targets.filter { $0.part == .key || $0.part == .index }
      .map { try ownAction(item, trie, $0) }
  }

  /// What `@key`, `@index` or `@value` gives to an object: the value of an attribute, or the
  /// identifier of a to-one relationship's object.
  private mutating func ownAction(
    _ item: PlanItem, _ trie: Int, _ target: PathTarget
  ) throws -> ScalarAction {
    if case .attribute = target.kind { return scalar(.attribute, item, trie, target) }
    let entity = schema.entities[trie]
    let relationship = entity.relationships[Int(target.number)]
    guard !relationship.isToMany else {
      throw ImportError(
        kind: .model, entity: entity.name, property: relationship.name,
        message:
          "\(entity.name).\(relationship.name): \"@key\", \"@index\" and \"@value\" are single"
          + " values; name a path to an array, or make the relationship to-one")
    }
    return scalar(.toOne, item, trie, target)
  }

  private mutating func add(
    _ target: PathTarget, of item: PlanItem, _ trie: Int, to position: inout PlanPosition
  ) throws {
    switch target.kind {
    case .attribute(let number):
      position.scalars.append(scalar(.attribute, item, trie, target))
      guard target.part == .value else { return }
      let keepsJSON = schema.entities[trie].attributes[number].takesContainers
      let start = self.start(keepsJSON ? .capture : .mismatch, item, trie, target)
      position.object.starts.append(start)
      position.array.starts.append(start)
    case .relationship(let number):
      let relationship = schema.entities[trie].relationships[number]
      if relationship.isToMany {
        try addCollection(item, trie, target, to: &position)
      } else {
        position.scalars.append(scalar(.toOne, item, trie, target))
        position.array.starts.append(start(.mismatch, item, trie, target))
        position.object.open(
          relationship.destination, for: handBack(.toOne, item, trie, target))
      }
    case .identifiers(let number):
      if schema.entities[trie].relationships[number].isToMany {
        try addCollection(item, trie, target, to: &position)
      } else {
        position.scalars.append(scalar(.toOne, item, trie, target))
        position.array.starts.append(start(.mismatch, item, trie, target))
        position.object.starts.append(start(.mismatch, item, trie, target))
      }
    case .root:
      try addCollection(item, trie, target, to: &position)
    }
  }

  /// Adds a place of the array of a to-many relationship or root, or, below a wildcard, of one of its
  /// objects.
  private mutating func addCollection(
    _ item: PlanItem, _ trie: Int, _ target: PathTarget, to position: inout PlanPosition
  ) throws {
    let element = PlanItem(up: item.up, source: .element(trie: trie, target: target))
    position.array.inside.append(element)
    if target.isElement {
      try addElement(element, trie, target, to: &position, allowsArray: true)
      return
    }
    position.array.starts.append(start(.collection, item, trie, target))
    position.scalars.append(scalar(target.isRoot ? .root : .toMany, item, trie, target))
    if target.isRoot {
      position.object.starts.append(start(.collection, item, trie, target))
      position.object.open(destination(trie, target), for: handBack(.root, item, trie, target))
    } else if wrapsSingleObjects(trie, target) {
      position.object.starts.append(start(.collection, item, trie, target))
      position.object.open(destination(trie, target), for: handBack(.element, item, trie, target))
    } else {
      position.object.starts.append(start(.mismatch, item, trie, target))
    }
  }

  /// Whether a to-many relationship accepts a single object in place of an array.
  private func wrapsSingleObjects(_ trie: Int, _ target: PathTarget) -> Bool {
    switch target.kind {
    case .relationship(let number), .identifiers(let number):
      entities[trie].relationships[number].policies.wrapsSingleObjects
    case .attribute, .root: false
    }
  }

  /// Adds a place of one object of a to-many relationship or root.
  private mutating func addElement(
    _ item: PlanItem, _ trie: Int, _ target: PathTarget, to position: inout PlanPosition,
    allowsArray: Bool = false
  ) throws {
    if !allowsArray { position.array.starts.append(start(.mismatch, item, trie, target)) }
    let destination = destination(trie, target)
    let handBack = handBack(target.isRoot ? .root : .element, item, trie, target)
    let scalars = self.trie(destination).nodes[0].targets.filter { $0.part == .scalar }
    if case .identifiers = target.kind {
      position.object.starts.append(start(.mismatch, item, trie, target))
    } else if let scalar = scalars.first, !readsObjects(destination) {
      position.object.starts.append(start(.mismatch, item, destination, scalar))
    } else {
      position.object.open(destination, for: handBack)
    }
    guard !scalars.isEmpty else {
      position.scalars.append(
        scalar(target.isRoot ? .rootElement : .element, item, trie, target))
      return
    }
    if tables.objectScalars[Int32(destination)] == nil {
      let own = PlanItem(up: 0, source: .node(trie: destination, node: 0))
      let actions = try self.trie(destination).nodes[0].targets.filter { $0.part != .value }
        .map { try ownAction(own, destination, $0) }
      tables.objectScalars[Int32(destination)] = tables.add(actions)
    }
    var action = scalar(.object, item, trie, target)
    action.handOff = tables.add([handOff(Int32(destination), [handBack])]).start
    position.scalars.append(action)
  }

  /// Whether anything of an object is read as an entity; if not, its values are scalars only.
  private mutating func readsObjects(_ entity: Int) -> Bool {
    let schema = schema.entities[entity]
    if schema.mapper != nil || schema.dictionaryTransformer != nil { return true }
    return schema.family.contains { member in
      let nodes = trie(member).nodes
      return nodes.count > 1 || nodes[0].targets.contains { $0.part == .value }
    }
  }

  private func destination(_ trie: Int, _ target: PathTarget) -> Int {
    switch target.kind {
    case .attribute: trie
    case .relationship(let number), .identifiers(let number):
      schema.entities[trie].relationships[number].destination
    case .root(let number): schema.entityNumbers[roots[number].entity] ?? 0
    }
  }
}

// MARK: - Actions

extension PlanBuilder {
  /// What a scalar does for a target.
  mutating func scalar(
    _ kind: ScalarAction.Kind, _ item: PlanItem, _ trie: Int, _ target: PathTarget
  ) -> ScalarAction {
    let property = property(trie, target.kind)
    let part: ScalarAction.Part =
      switch target.part {
      case .value, .scalar: .value
      case .key: .key
      case .index: .index
      }
    var action = ScalarAction(
      kind: kind, part: part, conversion: .string, rank: UInt8(clamping: target.rank),
      up: Int32(item.up), number: target.number, property: property, handOff: -1, requiredBit: 0,
      isIdentity: false, onNull: .clear)
    let plan = tables.properties[Int(property)]
    action.onNull = plan.onNull.action(
      isOptional: plan.isOptional || plan.destination >= 0, hasDefault: plan.hasDefault)
    switch target.kind {
    case .attribute(let number):
      action.conversion = plan.conversion(schema.entities[trie].attributes[number])
      action.requiredBit = entities[trie].required.first { $0.attribute == number }?.bit ?? 0
      action.isIdentity = schema.entities[trie].identity.contains(number)
      // Whether an identity may be null is decided when the object ends.
      if action.isIdentity { action.onNull = .clear }
    case .relationship, .identifiers, .root:
      if plan.attribute >= 0 {
        let destination = schema.entities[plan.destination]
        action.conversion = plan.conversion(destination.attributes[plan.attribute])
      }
    }
    return action
  }

  /// What the start of a container does for a target.
  mutating func start(
    _ kind: StartAction.Kind, _ item: PlanItem, _ trie: Int, _ target: PathTarget
  ) -> StartAction {
    var requiredBit: UInt64 = 0
    if case .attribute(let number) = target.kind {
      requiredBit = entities[trie].required.first { $0.attribute == number }?.bit ?? 0
    }
    return StartAction(
      kind: target.isRoot && kind == .collection ? .root : kind, rank: UInt8(clamping: target.rank),
      up: Int32(item.up), number: target.number, property: property(trie, target.kind),
      requiredBit: requiredBit)
  }

  /// Who gets the object that a target's value is.
  mutating func handBack(
    _ kind: HandBack.Kind, _ item: PlanItem, _ trie: Int, _ target: PathTarget
  ) -> HandBack {
    HandBack(
      kind: kind, rank: UInt8(clamping: target.rank), up: Int32(item.up), number: target.number,
      property: property(trie, target.kind))
  }
}

extension PathTarget {
  var isRoot: Bool {
    if case .root = kind { true } else { false }
  }

  var number: Int32 {
    switch kind {
    case .attribute(let number), .relationship(let number), .identifiers(let number),
      .root(let number):
      Int32(number)
    }
  }
}

extension AttributeSchema {
  /// Whether objects and arrays are values of the attribute: as JSON, or for a transformer.
  fileprivate var takesContainers: Bool {
    if case .custom = transformer { return true }
    return type == .transformable && transformer != .hexColor
  }
}
