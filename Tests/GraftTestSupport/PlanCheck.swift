@testable import Graft

// The engine follows the numbers of a plan without checking bounds, and a property's number means a column of the
// store. The numbers come from `PlanBuilder` alone, never from a document or a model's text. So the tests check them:
// `ImportTrial` checks the plan of each import.

/// Checks that all numbers in a plan lead to something, and to the right kind of thing.
struct PlanCheck {
  private let tables: PlanTables
  private let entities: [EntityPlan]
  private let rootCount: Int
  /// The number of values that objects read of enclosing JSON objects.
  private let outerCount: Int
  /// The number of scalars that the options ask for.
  private let capturedCount: Int

  private init(
    _ tables: PlanTables, _ entities: [EntityPlan], rootCount: Int, outerCount: Int,
    capturedCount: Int
  ) {
    self.tables = tables
    self.entities = entities
    self.rootCount = rootCount
    self.outerCount = outerCount
    self.capturedCount = capturedCount
  }

  /// Checks the plan of an import.
  ///
  /// - Throws: ``ImportError`` that names the mistake.
  static func run(_ model: GraphModel, _ roots: [ImportRoot], _ options: ImportOptions) throws {
    let builder = PlanBuilder(
      schema: try model.schema.applying(options.mapping), roots: roots, options: options)
    let root = try builder.compileRoots()
    try run(
      builder.tables, root: root, builder.entities, rootCount: roots.count,
      outerCount: builder.outerValues.paths.count, capturedCount: options.capturedPaths.count)
  }

  /// Checks the parts of a plan.
  ///
  /// - Parameters:
  ///   - tables: The parts.
  ///   - root: The node of the document.
  ///   - entities: The entities.
  ///   - rootCount: The number of the import's roots.
  ///   - outerCount: The number of values that objects read of enclosing JSON objects.
  ///   - capturedCount: The number of scalars that the options ask for.
  /// - Throws: ``ImportError`` that names the mistake.
  static func run(
    _ tables: PlanTables, root: Int32, _ entities: [EntityPlan], rootCount: Int, outerCount: Int,
    capturedCount: Int
  ) throws(ImportError) {
    let check = PlanCheck(
      tables, entities, rootCount: rootCount, outerCount: outerCount, capturedCount: capturedCount)
    try check.isIndex(root, in: tables.values.count, "node of the document")
    try check.checkNodes()
    try check.checkActions()
    try check.checkHandOffs()
    try check.checkDecisions()
  }

  // MARK: Nodes

  private func checkNodes() throws(ImportError) {
    for value in tables.values {
      try isRange(value.scalars, in: tables.scalars.count, "action")
      try isIndexOrNone(value.object, in: tables.containers.count, "object")
      try isIndexOrNone(value.array, in: tables.containers.count, "array")
    }
    for container in tables.containers {
      try isRange(container.starts, in: tables.starts.count, "start")
      try isRange(container.ownStarts, in: tables.starts.count, "start")
      try isRange(container.handOffs, in: tables.handOffs.count, "hand-off")
      try isRange(container.ownActions, in: tables.objectActions.count, "action")
      try isRange(container.elements, in: tables.elements.count, "element")
      try isIndexOrNone(container.otherwise, in: tables.values.count, "value")
      try isIndexOrNone(container.decision, in: tables.decisions.count, "decision")
    }
    for value in tables.keyTables.lazy.flatMap(\.values) {
      try isIndexOrNone(value, in: tables.values.count, "value of a key")
    }
    for element in tables.elements {
      try isIndexOrNone(element.value, in: tables.values.count, "value of an element")
    }
  }

  // MARK: Actions

  private func checkActions() throws(ImportError) {
    for action in tables.scalars {
      switch action {
      case .property(let action): try check(action)
      case .outer(let slot, _): try isIndex(slot, in: outerCount, "outer value")
      case .captured(let number): try isIndex(number, in: capturedCount, "captured value")
      case .unread(let property):
        try isIndexOrNone(property, in: tables.properties.count, "property")
      case .inUnread: break
      }
    }
    for action in tables.objectActions { try check(action) }
    for start in tables.starts {
      switch start {
      case .property(let start): try check(start)
      case .outer(let slot, _): try isIndex(slot, in: outerCount, "outer value")
      case .captured(let number): try isIndex(number, in: capturedCount, "captured value")
      case .unread(let property):
        try isIndexOrNone(property, in: tables.properties.count, "property")
      case .inUnread: break
      }
    }
  }

  private func check(_ action: PropertyAction) throws(ImportError) {
    let property = try property(action.property, levelsUp: action.levelsUp)
    switch action.effect {
    case .attribute: try isAttribute(action.number, property)
    case .toOne: try isRelationship(action.number, property, isToMany: false)
    case .element, .toMany: try isRelationship(action.number, property, isToMany: true)
    case .container, .rootElement, .root: try isRootOrToMany(action.number, property)
    case .object(let handOff, _):
      try isIndex(handOff, in: tables.handOffs.count, "hand-off")
      guard property.entity >= 0 else { return try isIndex(action.number, in: rootCount, "root") }
      try isRelationship(action.number, property)
    case .late(let node):
      try isIndex(node, in: tables.values.count, "late value")
      try isRelationship(action.number, property)
    }
    switch action.origin {
    case .constant(let number): try isIndex(number, in: tables.constants.count, "constant")
    case .outer(let slot, _): try isIndex(slot, in: outerCount, "outer value")
    case .value, .key, .index, .file, .line: break
    }
  }

  private func check(_ start: PropertyStart) throws(ImportError) {
    let property = try property(start.property, levelsUp: start.levelsUp)
    switch start.effect {
    case .collection, .root: try isRootOrToMany(start.number, property)
    case .capture: try isAttribute(start.number, property)
    case .late(let node):
      try isRelationship(start.number, property)
      try isIndex(node, in: tables.values.count, "late value")
    case .mismatch: break
    }
  }

  private func checkHandOffs() throws(ImportError) {
    for handOff in tables.handOffs {
      try isIndex(handOff.entity, in: entities.count, "entity")
      let attributes = entities[Int(handOff.entity)].schema.attributes
      try isIndexOrNone(handOff.relatedBy, in: attributes.count, "attribute that is related by")
      try isRange(handOff.handBacks, in: tables.handBacks.count, "hand-back")
      try isRange(handOff.scalars, in: tables.objectActions.count, "action")
    }
    for handBack in tables.handBacks {
      // Negative where the object that gets it begins with the same JSON object.
      let property = try property(handBack.property, levelsUp: max(handBack.levelsUp, 0))
      switch handBack.kind {
      case .toOne: try isRelationship(handBack.number, property, isToMany: false)
      case .element: try isRelationship(handBack.number, property, isToMany: true)
      case .root: try isRootOrToMany(handBack.number, property)
      }
    }
  }

  private func checkDecisions() throws(ImportError) {
    for decision in tables.decisions {
      for variant in decision.variants.values {
        try isIndex(variant, in: tables.containers.count, "variant")
      }
      for part in decision.choices.flatMap(\.identity) {
        try isIndex(part.property, in: tables.properties.count, "property")
      }
    }
  }

  // MARK: Numbers

  private func property(_ number: Int32, levelsUp: Int32) throws(ImportError) -> PropertyPlan {
    try isIndex(number, in: tables.properties.count, "property")
    guard levelsUp >= 0 else { throw mistake("\(levelsUp) parsers up") }
    return tables.properties[Int(number)]
  }

  private func isAttribute(_ number: Int32, _ property: PropertyPlan) throws(ImportError) {
    guard property.entity >= 0, property.destination < 0 else {
      throw mistake("\(property.entityName).\(property.name) as an attribute")
    }
    let count = entities[property.entity].schema.attributes.count
    try isIndex(number, in: count, "attribute of \(property.entityName)")
  }

  private func isRelationship(
    _ number: Int32, _ property: PropertyPlan, isToMany: Bool? = nil
  ) throws(ImportError) {
    guard property.entity >= 0, property.destination >= 0 else {
      throw mistake("\(property.entityName).\(property.name) as a relationship")
    }
    let relationships = entities[property.entity].schema.relationships
    try isIndex(number, in: relationships.count, "relationship of \(property.entityName)")
    guard isToMany == nil || relationships[Int(number)].isToMany == isToMany else {
      throw mistake("\(property.entityName).\(property.name), whose count is another")
    }
  }

  private func isRootOrToMany(_ number: Int32, _ property: PropertyPlan) throws(ImportError) {
    guard property.entity < 0 else {
      return try isRelationship(number, property, isToMany: true)
    }
    try isIndex(number, in: rootCount, "root")
  }

  private func isIndex(
    _ number: Int32, in count: Int, _ name: @autoclosure () -> String
  ) throws(ImportError) {
    guard number >= 0, number < count else {
      throw mistake("\(name()) \(number) of \(count)")
    }
  }

  private func isIndexOrNone(
    _ number: Int32, in count: Int, _ name: @autoclosure () -> String
  ) throws(ImportError) {
    if number != -1 { try isIndex(number, in: count, name()) }
  }

  private func isRange(
    _ range: Range32, in count: Int, _ name: @autoclosure () -> String
  ) throws(ImportError) {
    guard range.start >= 0, range.count >= 0, Int(range.start) + Int(range.count) <= count else {
      throw mistake("\(name()) \(range.start)…\(range.start + range.count) of \(count)")
    }
  }

  private func mistake(_ place: String) -> ImportError {
    ImportError(
      kind: .model,
      message:
        "the plan of the import leads to \(place), which is a mistake of the plan's compiler")
  }
}

extension KeyTable {
  fileprivate var values: [Int32] {
    keys.map { key in
      let padding = [UInt8](repeating: 0, count: InputSlice.keyPadding)
      return (Array(key.utf8) + padding).withBorrowed { unsafe value(of: $0[0..<key.utf8.count]) }
    }
  }
}
