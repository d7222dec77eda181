// Gathers the actions at one position of the document from all items that are there. With
// `"user": …` in a tweet, a scalar is the identity of the author, an object is the author, and an
// array is an error.

/// The facts about a position while its items are gathered.
struct PlanPosition {
  /// The index that an object reads of itself (`@index`); the first one counts where several relationships get it.
  enum Index: Int, Comparable {
    /// Its place in an array, or among the members of an object.
    case ofElement
    /// 0, since it is a single object in place of an array.
    case zero
    /// No index: the path names the object's key.
    case none

    static func < (first: Index, second: Index) -> Bool { first.rawValue < second.rawValue }
  }

  /// An object of the graph that begins at the position.
  struct Open {
    var entity: Int32
    var handBacks: [HandBack]
    var index = Index.ofElement
  }

  /// The actions for an object, or for an array, that begins at the position.
  struct Container {
    let isObject: Bool
    var starts: [StartAction] = []
    var opens: [Open] = []
    /// The items inside, with `levelsUp` counted without the objects that begin here.
    var inside: [PlanItem] = []

    var isEmpty: Bool { starts.isEmpty && opens.isEmpty && inside.isEmpty }

    /// Begins an object of an entity, or adds a receiver to the object that already begins here.
    mutating func open(_ entity: Int, for handBack: HandBack, index: Index = .ofElement) {
      if let known = opens.firstIndex(where: { $0.entity == entity }) {
        opens[known].handBacks.append(handBack)
        opens[known].index = min(opens[known].index, index)
      } else {
        opens.append(Open(entity: Int32(entity), handBacks: [handBack], index: index))
      }
    }
  }

  var scalars: [ScalarAction] = []
  var object = Container(isObject: true)
  var array = Container(isObject: false)
}

extension PlanBuilder {
  /// Adds the actions of an item at a position.
  func add(_ item: PlanItem, to position: inout PlanPosition) throws {
    switch item.source {
    case .element(let tree, let target): try addElement(item, tree, target, to: &position)
    case .late(let tree, let target): try add(target, of: item, tree, to: &position)
    case .path(let path, let count): add(item, path, count, to: &position)
    case .inUnread:
      position.scalars.append(.inUnread)
      position.object.starts.append(.inUnread)
      position.array.starts.append(.inUnread)
    case .node(let tree, let number):
      let node = self.tree(tree).nodes[number]
      if node.isObject { position.object.inside.append(item) }
      if node.isArray { position.array.inside.append(item) }
      for target in node.content.collections {
        let start = self.start(collection(target), item, tree, target)
        if target.isMember {
          position.object.starts.append(start)
        } else {
          position.array.starts.append(start)
        }
        position.scalars.append(.property(scalar(.container, item, tree, target)))
      }
      for target in node.content.targets where number != 0 || target.part == .value {
        if mayBeSuperseded(target) {
          try addLate(target, of: item, tree, to: &position)
        } else {
          try add(target, of: item, tree, to: &position)
        }
      }
    }
  }

  /// Adds actions for values that nothing reads, because they are of another kind than the paths through the position
  /// expect.
  ///
  /// With `hours.*`, an array or a string at `hours` is not read, and is told by a notice. So is an array at `meta` for
  /// `meta.title`; a string there is told only if the options ask for keys that nothing reads. A property with several
  /// paths expects that some lead nowhere, and a root may match nothing below a wildcard.
  func addUnread(_ items: [PlanItem], to position: inout PlanPosition) {
    let (readsObjects, readsArrays) = (!position.object.isEmpty, !position.array.isEmpty)
    guard readsObjects != readsArrays else { return }
    let collection = items.lazy.compactMap {
      self.relationship(behindWildcardAt: $0, isMember: readsObjects)
    }.first
    let property =
      collection
      ?? (readsObjects ? items.lazy.compactMap { self.property(behindMemberAt: $0) }.first : nil)
    let isAsked = options.unknownKeys != .skip || options.reportsCoverage
    guard property != nil || isAsked else { return }
    let inside = PlanItem(levelsUp: 0, source: .inUnread)
    if readsObjects {
      position.array.starts.append(.unread(property: property ?? -1))
      position.array.inside.append(inside)
    } else {
      position.object.starts.append(.unread(property: property ?? -1))
      position.object.inside.append(inside)
    }
    if collection != nil || isAsked, position.scalars.allSatisfy(\.isOfContainer) {
      position.scalars.append(.unread(property: collection ?? -1))
    }
  }

  /// Returns the number, among the plan's properties, of a property whose only path goes on with a member.
  private func property(behindMemberAt item: PlanItem) -> Int32? {
    guard case .node(let tree, let number) = item.source, number != 0 else { return nil }
    return property(tree, \.members, at: number) { _ in true }
  }

  /// Returns the number, among the plan's properties, of a relationship whose only path goes on with a wildcard.
  private func relationship(behindWildcardAt item: PlanItem, isMember: Bool) -> Int32? {
    guard case .node(let tree, let number) = item.source else { return nil }
    return property(tree, \.wildcards, at: number) { target in
      if case .relationship = target.kind { target.isMember == isMember } else { false }
    }
  }

  /// Returns the number of the first property with a single path among some targets of a place.
  private func property(
    _ tree: Int, _ targets: KeyPath<PathTargets, [PathTarget]>, at number: Int,
    where isWanted: (PathTarget) -> Bool
  ) -> Int32? {
    guard tree != Self.document else { return nil }
    let entity = schema.entities[tree]
    let target = self.tree(tree)[number][keyPath: targets].first { target in
      switch target.kind {
      case .attribute(let number): isWanted(target) && entity.attributes[number].paths.count == 1
      case .relationship(let number), .identifiers(let number):
        isWanted(target) && !entity.relationships[number].hasAlternatives
      case .root: false
      }
    }
    return target.map { property(tree, $0.kind) }
  }

  // MARK: Objects at a later one of several paths

  /// Returns whether a relationship's value counts only if there is none at the paths before.
  ///
  /// Attributes need no such care: their values wait in any case, until the object ends.
  private func mayBeSuperseded(_ target: PathTarget) -> Bool {
    target.relationship != nil && target.pathIndex > 0
  }

  /// Keeps a value until the object that has the relationship ends.
  private func addLate(
    _ target: PathTarget, of item: PlanItem, _ tree: Int, to position: inout PlanPosition
  ) throws {
    let node = try lateNode(target, tree)
    let start = self.start(.late(node: node), item, tree, target)
    position.object.starts.append(start)
    position.array.starts.append(start)
    position.scalars.append(.property(scalar(.late(node: node), item, tree, target)))
  }

  /// Returns the node at which a waiting value is read, by its relationship alone.
  private func lateNode(_ target: PathTarget, _ tree: Int) throws -> Int32 {
    var target = target
    target.part = .value
    let item = PlanItem(levelsUp: 0, source: .late(tree: tree, target: target))
    return try value([number(of: item)])
  }

  // MARK: Paths to one value

  /// Adds the value of a path that leads to one value, or a container on the way to it.
  ///
  /// A value that objects inside read at `@parent` is known before they begin (`PlanDecision.outerValues`); its
  /// action notices that its key occurs again.
  private func add(
    _ item: PlanItem, _ path: PlanItem.SinglePath, _ count: Int, to position: inout PlanPosition
  ) {
    let steps = steps(of: path)
    if count < steps.count {
      if case .element = steps[count] {
        position.array.inside.append(item)
      } else {
        position.object.inside.append(item)
      }
      return
    }
    let start: StartAction
    switch path {
    case .outer(let slot):
      position.scalars.append(.outer(slot: Int32(slot), steps: Int32(count)))
      start = .outer(slot: Int32(slot), steps: Int32(count))
    case .captured(let number):
      position.scalars.append(.captured(Int32(number)))
      start = .captured(Int32(number))
    case .deciding: return
    }
    position.object.starts.append(start)
    position.array.starts.append(start)
  }

  // MARK: Values that an object reads of itself

  /// Returns the actions for values of an object's key, its index and its enclosing objects: the
  /// targets at the root of the object's own tree.
  ///
  /// - Parameters:
  ///   - item: The object.
  ///   - index: The index that the object reads.
  /// - Returns: The actions.
  /// - Throws: ``ImportError`` if a relationship cannot read such values.
  func ownActions(
    of item: PlanItem, index: PlanPosition.Index
  ) throws -> [PropertyAction] {
    guard case .node(let tree, let number) = item.source else { return [] }
    let targets = self.tree(tree)[number].targets
    return try targets.filter { $0.part != .value && $0.part != .scalar }
      .compactMap { $0.reading(index) }.map { try ownAction(item, tree, $0) }
  }

  /// Returns the collections made of an object's own JSON.
  ///
  /// To-many relationships read its members (`*`) or its elements (`[*]`) as their objects, and attributes keep the
  /// JSON itself (`$`).
  func ownCollections(
    of item: PlanItem, isObject: Bool
  ) -> (starts: [StartAction], elements: [PlanItem]) {
    guard case .node(let tree, let number) = item.source else { return ([], []) }
    let node = self.tree(tree).nodes[number]
    let starts = node.content.collections.filter { $0.isMember == isObject }
      .map { start(collection($0), item, tree, $0) }
    // An attribute at `$` keeps the whole object, in addition to the values that other properties
    // read of it.
    let kept = node.content.targets.filter { target in
      if case .attribute = target.kind { target.part == .value } else { false }
    }
    // `[*]` is the array itself, and so is at the root of the tree.
    let arrays =
      isObject ? [] : node.content.targets.filter { isToMany($0, tree) && $0.part == .value }
    return (
      starts + arrays.map { start(collection($0), item, tree, $0) }
        + kept.map { start(.capture(scalar(.attribute, item, tree, $0)), item, tree, $0) },
      arrays.map { PlanItem(levelsUp: item.levelsUp, source: .element(tree: tree, target: $0)) }
    )
  }

  /// Returns whether objects of an entity may be arrays in JSON.
  private func readsArrays(_ entity: Int) -> Bool { schema.entities[entity].readsArrays }

  private func isToMany(_ target: PathTarget, _ tree: Int) -> Bool {
    target.relationship.map { schema.entities[tree].relationships[$0].isToMany } ?? false
  }

  /// Returns the action that gives the value of `@key`, `@index` or `@value` to an attribute or to
  /// a to-one relationship.
  private func ownAction(
    _ item: PlanItem, _ tree: Int, _ target: PathTarget
  ) throws -> PropertyAction {
    if case .attribute = target.kind { return scalar(.attribute, item, tree, target) }
    let entity = schema.entities[tree]
    let relationship = entity.relationships[Int(target.number)]
    guard !relationship.isToMany else {
      throw ImportError(
        kind: .model, entity: entity.name, property: relationship.name,
        message:
          "\(entity.name).\(relationship.name): \"@key\", \"@index\" and \"@value\" are single"
          + " values, like all from outside the object; name a path to an array, or make the relationship to-one"
      )
    }
    guard mayBeSuperseded(target) else { return scalar(.toOne, item, tree, target) }
    return scalar(.late(node: try lateNode(target, tree)), item, tree, target)
  }

  private func add(
    _ target: PathTarget, of item: PlanItem, _ tree: Int, to position: inout PlanPosition
  ) throws {
    switch target.kind {
    case .attribute(let number):
      let action = scalar(.attribute, item, tree, target)
      position.scalars.append(.property(action))
      guard target.part == .value else { return }
      let keepsJSON = schema.entities[tree].attributes[number].takesContainers
      let start = self.start(keepsJSON ? .capture(action) : .mismatch, item, tree, target)
      position.object.starts.append(start)
      position.array.starts.append(start)
    case .relationship(let number):
      let relationship = schema.entities[tree].relationships[number]
      if relationship.isToMany {
        try addCollection(item, tree, target, to: &position)
      } else {
        let handBack = handBack(.toOne, item, tree, target)
        try addScalar(.toOne, item, tree, target, handBack, index: target.index, to: &position)
        position.object.open(relationship.destination, for: handBack, index: target.index)
        if readsArrays(relationship.destination) {
          position.array.open(relationship.destination, for: handBack)
        } else {
          position.array.starts.append(start(.mismatch, item, tree, target))
        }
      }
    case .identifiers(let number):
      if schema.entities[tree].relationships[number].isToMany {
        try addCollection(item, tree, target, to: &position)
      } else {
        position.scalars.append(.property(scalar(.toOne, item, tree, target)))
        position.array.starts.append(start(.mismatch, item, tree, target))
        position.object.starts.append(start(.mismatch, item, tree, target))
      }
    case .root:
      try addCollection(item, tree, target, to: &position)
    }
  }

  /// Adds a place of the array of a to-many relationship or root, or, below a wildcard, of one of its
  /// objects.
  private func addCollection(
    _ item: PlanItem, _ tree: Int, _ target: PathTarget, to position: inout PlanPosition
  ) throws {
    var elementTarget = target
    elementTarget.isMember = false
    let element = PlanItem(
      levelsUp: item.levelsUp, source: .element(tree: tree, target: elementTarget))
    if target.isElement {
      let destination = destination(tree, target)
      let isArrayOfObjects = !readsArrays(destination) && !isNamedByKey(target, destination)
      if isArrayOfObjects { position.array.inside.append(element) }
      try addElement(
        item, tree, target, index: target.index, to: &position,
        allowsArray: isArrayOfObjects)
      return
    }
    position.array.starts.append(start(collection(target), item, tree, target))
    if isRowOfStream(target, tree) {
      position.array.open(destination(tree, target), for: handBack(.root, item, tree, target))
    } else {
      position.array.inside.append(element)
    }
    let wraps =
      target.relationship.map { entities[tree].relationships[$0].policies.wrapsSingleObjects }
      ?? false
    if wraps {
      let handBack = handBack(.element, item, tree, elementTarget)
      try addScalar(.element, item, tree, elementTarget, handBack, index: .zero, to: &position)
    } else {
      position.scalars.append(
        .property(scalar(target.isRoot ? .root : .toMany, item, tree, target)))
    }
    if target.isRoot {
      position.object.starts.append(start(.root, item, tree, target))
      let handBack = handBack(.root, item, tree, target)
      position.object.open(destination(tree, target), for: handBack, index: .zero)
    } else if wraps, case .relationship = target.kind {
      position.object.starts.append(start(.collection, item, tree, target))
      let handBack = handBack(.element, item, tree, target)
      position.object.open(destination(tree, target), for: handBack, index: .zero)
    } else {
      position.object.starts.append(start(.mismatch, item, tree, target))
    }
  }

  /// Returns whether each document of a stream is an object that is an array in JSON.
  ///
  /// This is NDJSON whose lines are rows, such as `[1, "Ann"]`. With the root `[*]` each line is an
  /// array of rows.
  private func isRowOfStream(_ target: PathTarget, _ tree: Int) -> Bool {
    guard options.parser.format?.isStream ?? false, case .root(let number) = target.kind else {
      return false
    }
    return roots[number].path.steps.isEmpty && readsArrays(destination(tree, target))
  }

  /// Adds a place of one object of a to-many relationship or root.
  private func addElement(
    _ item: PlanItem, _ tree: Int, _ target: PathTarget, index: PlanPosition.Index = .ofElement,
    to position: inout PlanPosition, allowsArray: Bool = false
  ) throws {
    let destination = destination(tree, target)
    let handBack = handBack(target.isRoot ? .root : .element, item, tree, target)
    let scalars = self.tree(destination)[0].targets.filter { $0.part == .scalar }
    var opensArray = false
    if case .identifiers = target.kind {
      position.object.starts.append(start(.mismatch, item, tree, target))
    } else if let scalar = scalars.first, !readsObjects(destination),
      !isNamedByKey(target, destination)
    {
      position.object.starts.append(start(.mismatch, item, destination, scalar))
    } else {
      position.object.open(destination, for: handBack, index: index)
      opensArray = readsArrays(destination)
    }
    if opensArray {
      position.array.open(destination, for: handBack)
    } else if !allowsArray {
      position.array.starts.append(start(.mismatch, item, tree, target))
    }
    try addScalar(
      target.isRoot ? .rootElement : .element, item, tree, target, handBack, index: index,
      to: &position)
  }

  /// Adds the actions of a scalar in place of an object: the object's identifier, or the whole
  /// object, such as each string of `["blue", "red"]`.
  private func addScalar(
    _ effect: PropertyAction.Effect, _ item: PlanItem, _ tree: Int, _ target: PathTarget,
    _ handBack: HandBack, index: PlanPosition.Index = .ofElement, to position: inout PlanPosition
  ) throws {
    let destination = destination(tree, target)
    guard isWholeObject(target, tree, destination) else {
      var action = scalar(effect, item, tree, target)
      action.isWrapped = index == .zero
      action.isNamedByKey = isNamedByKey(target, destination)
      position.scalars.append(.property(action))
      return
    }
    let own = PlanItem(levelsUp: 0, source: .node(tree: destination, node: 0))
    let targets = self.tree(destination)[0].targets.filter { $0.part != .value }
    let actions = try targets.compactMap { $0.reading(index) }.map {
      try ownAction(own, destination, $0)
    }
    var handOff = handOff(Int32(destination), [handBack])
    handOff.scalars = tables.add(actions)
    let isIdentity = targets.contains { target in
      guard target.part == .scalar, case .attribute(let number) = target.kind else { return false }
      return schema.entities[destination].identity.contains(number)
    }
    let number = tables.add([handOff]).start
    var action = scalar(.object(handOff: number, isIdentity: isIdentity), item, tree, target)
    action.isWrapped = index == .zero
    position.scalars.append(.property(action))
  }

  /// Returns whether anything of an object is read as an entity; if not, its values are scalars only.
  private func readsObjects(_ entity: Int) -> Bool {
    let schema = schema.entities[entity]
    if schema.mapper != nil || schema.dictionaryTransformer != nil { return true }
    return schema.family.contains { member in
      let nodes = tree(member).nodes
      return nodes.count > 1 || nodes[0].content.targets.contains { $0.part == .value }
    }
  }

  /// Returns whether an object is a member whose key is its identity, so that its value cannot be
  /// another identity.
  private func isNamedByKey(_ target: PathTarget, _ destination: Int) -> Bool {
    guard target.isMember, let identity = schema.entities[destination].singleIdentity else {
      return false
    }
    if case .identifiers = target.kind { return false }
    let own = tree(destination)[0].targets
    return own.contains { $0.kind == .attribute(identity) && $0.part == .key && $0.pathIndex == 0 }
  }

  /// Returns whether a scalar is a whole object, and not an identifier.
  ///
  /// It is if an attribute is at `@value`, and no part of the identity is missing.
  ///
  /// With the identity at `@key` and the name at `@value`, `{"en": "English"}` holds a whole object, and
  /// `["en"]` an identifier.
  private func isWholeObject(
    _ target: PathTarget, _ tree: Int, _ destination: Int
  ) -> Bool {
    switch target.kind {
    case .identifiers, .attribute: return false
    case .relationship(let number):
      guard schema.entities[tree].relationships[number].relatedBy == nil else { return false }
    case .root: break
    }
    let own = self.tree(destination)[0].targets
    guard own.contains(where: { $0.part == .scalar }) else { return false }
    return schema.entities[destination].identity.allSatisfy { attribute in
      own.contains {
        $0.kind == .attribute(attribute) && $0.part != .value
          && ($0.part != .key || target.isMember)
      }
    }
  }

  private func destination(_ tree: Int, _ target: PathTarget) -> Int {
    switch target.kind {
    case .attribute: tree
    case .relationship(let number), .identifiers(let number):
      schema.entities[tree].relationships[number].destination
    case .root(let number): entitiesOfRoots[number]
    }
  }
}

// MARK: - Actions

extension PlanBuilder {
  /// Returns the action of a scalar for a target.
  func scalar(
    _ effect: PropertyAction.Effect, _ item: PlanItem, _ tree: Int, _ target: PathTarget
  ) -> PropertyAction {
    let property = property(tree, target.kind)
    let plan = tables.properties[Int(property)]
    var action = PropertyAction(
      effect: effect, origin: origin(of: target.part), conversion: .string,
      pathIndex: UInt8(clamping: target.pathIndex), levelsUp: Int32(item.levelsUp),
      number: target.number, property: property,
      onNull: plan.policies.onNull.action(
        isOptional: plan.isOptional || plan.destination >= 0, hasDefault: plan.hasDefault))
    switch target.kind {
    case .attribute(let number):
      action.conversion = plan.conversion(schema.entities[tree].attributes[number])
      action.requiredBit = entities[tree].requiredBit(of: number)
      action.isIdentity = schema.entities[tree].identity.contains(number)
      // Whether an identity may be null is decided when the object ends, unless its attribute says so.
      if action.isIdentity {
        let isError = schema.entities[tree].attributes[number].policies.onNull == .error
        action.onNull = isError ? .error : .clear
      }
    case .relationship, .identifiers, .root:
      if plan.attribute >= 0 {
        let destination = schema.entities[plan.destination]
        action.conversion = plan.conversion(destination.attributes[plan.attribute])
      }
    }
    if target.part.isUnwritten { action.conversion = action.conversion.unwritten }
    return action
  }

  /// Returns the effect of the array or object in which the objects of a target are.
  private func collection(_ target: PathTarget) -> PropertyStart.Effect {
    target.isRoot ? .root : .collection
  }

  /// Returns the source of a scalar.
  private func origin(of part: PathTarget.Part) -> PropertyAction.Origin {
    guard case .outside(let path) = part else {
      return part == .key ? .key : part == .index ? .index : .value
    }
    switch path.steps[0] {
    case .file: return .file
    case .line: return .line
    case .constant(let text):
      tables.constants.append(Array(text.utf8))
      return .constant(Int32(tables.constants.count - 1))
    default:
      let place = OuterPlace(path)
      return .outer(slot: Int32(outerValues.slot(of: place.path)), levels: Int32(place.levels))
    }
  }

  /// Returns the action at the start of a container for a target.
  func start(
    _ effect: PropertyStart.Effect, _ item: PlanItem, _ tree: Int, _ target: PathTarget
  ) -> StartAction {
    .property(
      PropertyStart(
        effect: effect, pathIndex: UInt8(clamping: target.pathIndex),
        levelsUp: Int32(item.levelsUp), number: target.number,
        property: property(tree, target.kind)))
  }

  /// Returns the receiver of the object that is a target's value.
  func handBack(
    _ kind: HandBack.Kind, _ item: PlanItem, _ tree: Int, _ target: PathTarget
  ) -> HandBack {
    HandBack(
      kind: kind, pathIndex: UInt8(clamping: target.pathIndex), levelsUp: Int32(item.levelsUp),
      number: target.number,
      property: property(tree, target.kind))
  }
}

extension PathTarget {
  /// The index of an object at the end of the path.
  fileprivate var index: PlanPosition.Index { isNamed ? .none : .ofElement }

  /// Returns the target for an object with such an index; nil if it then reads nothing.
  fileprivate func reading(_ index: PlanPosition.Index) -> PathTarget? {
    guard part == .index, index != .ofElement else { return self }
    guard index == .zero else { return nil }
    var target = self
    target.part = .outside(JSONPath([.constant("0")]))
    return target
  }

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

extension PathTarget.Part {
  /// Whether it is a key, an index, a line, a file name or a constant.
  ///
  /// These are no values of the document.
  fileprivate var isUnwritten: Bool {
    guard case .outside(let path) = self else { return self == .key || self == .index }
    return switch path.steps.last {
    case .key, .index, .line, .file, .constant: true
    default: false
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
