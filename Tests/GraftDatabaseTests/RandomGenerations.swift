import Foundation
import GraftExport

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// A model that changes from generation to generation, and what documents have said of its objects; repeatable by its
/// seed.
///
/// Two entities may be below the first one, and properties move between them. Identities tell the entity: those of the
/// second one are 10 to 15. Properties have numbers that stay when they get other names. What documents said is kept by these numbers, also of
/// properties that the model has not at the time, and can be written as one document for the model as it is.
struct RandomGenerations {
  struct Attribute {
    var number: Int
    var name: String
    var type: AttributeType
    var isOptional = true
    var defaultValue: AttributeValue?
    var formerName: String?
    /// Whether the database has it with another type until this change is applied.
    var hasNewType = false
  }

  struct Relationship {
    var number: Int
    var name: String
    var destination: Int
    var inverse: Int?
    var isToMany: Bool
    var isOrdered = false
    var isOptional = true
    var formerName: String?
    /// Whether the database does not know of its inverse until this change is applied.
    var hasNewInverse = false
  }

  struct Entity {
    var name: String
    /// The entity above.
    var parent: Int?
    /// The names that its attributes have or had.
    var usedNames: Set<String> = []
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
    var formerName: String?
  }

  /// The known facts about one object that is more than a stub.
  struct Facts {
    /// JSON by the number of the attribute; `null` where it is known to be empty.
    var values: [Int: String] = [:]
    /// The identities of related objects, by the number of the relationship.
    var links: [Int: [Int]] = [:]
  }

  var entities: [Entity]
  /// By entity and identity.
  var objects: [[Int: Facts]]
  /// By entity and identity, the links of stubs, which other objects have set by an inverse.
  private var stubs: [[Int: Facts]]
  private var nextNumber = 0
  private var nextName = 0
  /// By entity, the attributes whose names are free since an earlier generation.
  private var formerNames: [[Attribute]]
  /// By entity, properties that the model no longer has, and may have again.
  private var removedAttributes: [[Attribute]]
  private var removedRelationships: [[Relationship]]

  private static let types: [AttributeType] = [.string, .integer64, .integer16, .double, .boolean]

  init(_ random: inout SeededGenerator) {
    entities = (0..<Int.random(in: 1...3, using: &random)).map { Entity(name: "E\($0)") }
    if Bool.random(using: &random) {
      for _ in 0..<2 { entities.append(Entity(name: "E\(entities.count)", parent: 0)) }
    }
    objects = entities.map { _ in [:] }
    stubs = objects
    formerNames = entities.map { _ in [] }
    removedAttributes = entities.map { _ in [] }
    removedRelationships = entities.map { _ in [] }
    for entity in entities.indices {
      for _ in 0..<Int.random(in: 1...3, using: &random) { addAttribute(to: entity, &random) }
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) { addRelationship(&random) }
    for entity in entities.indices {
      for index in entities[entity].attributes.indices {
        entities[entity].attributes[index].isOptional = true
        entities[entity].attributes[index].defaultValue = nil
      }
    }
  }

  // MARK: The model

  /// The entities in a random order, each with its properties in a random order.
  func model(_ random: inout SeededGenerator) throws -> GraphModel {
    func info(_ former: String?) -> [String: String] {
      former.map { ["renamingIdentifier": $0] } ?? [:]
    }
    let descriptions = entities.map { entity in
      var userInfo = info(entity.formerName)
      if entity.parent == nil { userInfo["identityAttributes"] = "id" }
      let attributes = entity.attributes.map {
        AttributeDescription(
          name: $0.name, type: $0.type, isOptional: $0.isOptional, defaultValue: $0.defaultValue,
          userInfo: info($0.formerName))
      }
      let relationships = entity.relationships.map { relationship in
        let back = entities[relationship.destination].relationships
          .first { $0.number == relationship.inverse }
        return RelationshipDescription(
          name: relationship.name, destination: entities[relationship.destination].name,
          inverse: back?.name, isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
          isOptional: relationship.isOptional, userInfo: info(relationship.formerName))
      }
      return EntityDescription(
        name: entity.name, superentity: entity.parent.map { entities[$0].name },
        attributes: ((entity.parent == nil ? [.make("id", .integer64)] : []) + attributes)
          .shuffled(using: &random),
        relationships: relationships.shuffled(using: &random), userInfo: userInfo)
    }
    return try GraphModel(entities: descriptions.shuffled(using: &random), dialect: .graft)
  }

  /// The entity and those below it.
  private func family(of entity: Int) -> [Int] {
    [entity] + entities.indices.filter { entities[$0].parent == entity }
  }

  /// The other entity below the same one.
  private func sibling(of entity: Int) -> Int? {
    entities.indices.first { $0 != entity && entities[$0].parent == entities[entity].parent }
  }

  private func attributes(of entity: Int) -> [Attribute] {
    (entities[entity].parent.map { entities[$0].attributes } ?? []) + entities[entity].attributes
  }

  private func relationships(of entity: Int) -> [Relationship] {
    (entities[entity].parent.map { entities[$0].relationships } ?? [])
      + entities[entity].relationships
  }

  /// Changes the known facts about all objects of some entities, and about their stubs.
  private mutating func update(_ entities: [Int], _ change: (inout Facts) -> Void) {
    for entity in entities {
      for identity in objects[entity].keys { change(&objects[entity][identity, default: Facts()]) }
      for identity in stubs[entity].keys { change(&stubs[entity][identity, default: Facts()]) }
    }
  }

  /// Returns the known links of a relationship, sorted by owner.
  private func links(_ relationship: Relationship, of entity: Int) -> [(owner: Int, members: [Int])]
  {
    family(of: entity).flatMap { entity in
      objects[entity].merging(stubs[entity]) { object, _ in object }
        .map { ($0.key, $0.value.links[relationship.number] ?? []) }
    }.sorted { $0.0 < $1.0 }
  }

  /// Adds links to a relationship that are known from its inverse.
  private mutating func addLinks(
    _ links: [(owner: Int, members: [Int])], reversedTo inverse: Relationship
  ) {
    for (owner, members) in links {
      for member in members {
        func add(_ facts: inout Facts?) {
          guard facts?.links[inverse.number]?.contains(owner) != true else { return }
          facts?.links[inverse.number, default: []].append(owner)
        }
        add(&objects[member / 10][member])
        add(&stubs[member / 10][member])
      }
    }
  }

  private mutating func newName() -> String {
    nextName += 1
    return "p\(nextName)"
  }

  private mutating func newNumber() -> Int {
    nextNumber += 1
    return nextNumber
  }

  // MARK: Changes

  /// Makes one or several changes, and says what they are.
  mutating func change(_ random: inout SeededGenerator) -> String {
    // The last change has been applied, so its former names no longer count.
    for entity in entities.indices {
      entities[entity].formerName = nil
      for index in entities[entity].attributes.indices {
        entities[entity].attributes[index].formerName = nil
        entities[entity].attributes[index].hasNewType = false
      }
      for index in entities[entity].relationships.indices {
        entities[entity].relationships[index].formerName = nil
        entities[entity].relationships[index].hasNewInverse = false
      }
    }
    formerNames = removedAttributes
    var said: [String] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let entity = Int.random(in: entities.indices, using: &random)
      let attribute = entities[entity].attributes.indices.randomElement(using: &random)
      let relationship = entities[entity].relationships.indices.randomElement(using: &random)
      switch Int.random(in: 0..<17, using: &random) {
      case 0, 1:
        addAttribute(to: entity, &random)
        said.append("adds an attribute to \(entities[entity].name)")
      case 2:
        guard let attribute else { continue }
        said.append("removes \(entities[entity].attributes[attribute].name)")
        removeAttribute(attribute, of: entity)
      case 3:
        guard let attribute, entities[entity].attributes[attribute].formerName == nil,
          !isShared(attribute, of: entity)
        else { continue }
        let name = newName()
        said.append("renames \(entities[entity].attributes[attribute].name) to \(name)")
        entities[entity].attributes[attribute].formerName =
          entities[entity].attributes[attribute].name
        entities[entity].attributes[attribute].name = name
        entities[entity].usedNames.insert(name)
      case 4:
        guard let attribute, !isShared(attribute, of: entity) else { continue }
        let type = Self.types.randomElement(using: &random) ?? .string
        said.append("makes \(entities[entity].attributes[attribute].name) \(type)")
        entities[entity].attributes[attribute].type = type
        entities[entity].attributes[attribute].hasNewType = true
        entities[entity].attributes[attribute].defaultValue = nil
        if !entities[entity].attributes[attribute].isOptional {
          entities[entity].attributes[attribute].isOptional = true
        }
      case 5:
        guard let attribute else { continue }
        let hasDefault = Int.random(in: 0..<3, using: &random) > 0
        said.append(
          "requires \(entities[entity].attributes[attribute].name), default \(hasDefault)")
        entities[entity].attributes[attribute].isOptional = false
        if hasDefault {
          entities[entity].attributes[attribute].defaultValue = Self.value(
            of: entities[entity].attributes[attribute].type, &random)
        }
      case 6:
        addRelationship(&random)
        said.append("adds a relationship")
      case 7:
        guard let relationship, !entities[entity].relationships[relationship].hasNewInverse else {
          continue
        }
        said.append("removes \(entities[entity].relationships[relationship].name)")
        removeRelationship(relationship, of: entity)
      case 8:
        guard let relationship, entities[entity].relationships[relationship].formerName == nil
        else {
          continue
        }
        let name = newName()
        said.append("renames \(entities[entity].relationships[relationship].name) to \(name)")
        entities[entity].relationships[relationship].formerName =
          entities[entity].relationships[relationship].name
        entities[entity].relationships[relationship].name = name
      case 9:
        guard let relationship else { continue }
        said.append("turns \(entities[entity].relationships[relationship].name)")
        turn(relationship, of: entity, &random)
      case 10:
        guard entities[entity].formerName == nil else { continue }
        let name = "\(newName())E"
        said.append("renames \(entities[entity].name) to \(name)")
        entities[entity].formerName = entities[entity].name
        entities[entity].name = name
        // The table of a list that the model no longer has keeps the name of its owner.
        for entity in entities.indices { removedRelationships[entity].removeAll { $0.isToMany } }
      case 11:
        guard var restored = removedAttributes[entity].popLast() else { continue }
        // It is found by its name, which it keeps until the next change.
        restored.formerName = restored.name
        said.append("restores \(restored.name)")
        entities[entity].attributes.append(restored)
      case 12:
        said.append(moveUp(from: entity, &random))
      case 13:
        said.append(moveDown(from: entity, &random))
      case 14:
        guard entities[entity].parent != nil, let sibling = sibling(of: entity),
          let other = entities[sibling].attributes.filter({
            !entities[entity].usedNames.contains($0.name) && $0.formerName == nil
          }).randomElement(using: &random)
        else { continue }
        addAttribute(to: entity, &random)
        let last = entities[entity].attributes.count - 1
        entities[entity].attributes[last].name = other.name
        entities[entity].usedNames.insert(other.name)
        said.append("adds \(other.name) to \(entities[entity].name)")
      case 15:
        guard let relationship, let name = pair(relationship, of: entity) else { continue }
        said.append(
          "makes \(name) the inverse of \(entities[entity].relationships[relationship].name)")
      default:
        guard var restored = removedRelationships[entity].popLast() else { continue }
        restored.formerName = restored.name
        said.append("restores \(restored.name)")
        entities[entity].relationships.append(restored)
      }
    }
    return said.joined(separator: ", ")
  }

  private mutating func addAttribute(to entity: Int, _ random: inout SeededGenerator) {
    let type = Self.types.randomElement(using: &random) ?? .string
    var attribute = Attribute(number: newNumber(), name: newName(), type: type)
    // A name that an attribute of another type had, which starts empty.
    if let former = formerNames[entity].popLast(), former.type != type,
      let index = removedAttributes[entity].firstIndex(where: { $0.number == former.number }),
      Int.random(in: 0..<3, using: &random) == 0
    {
      attribute.name = former.name
      removedAttributes[entity].remove(at: index)
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: attribute.defaultValue = Self.value(of: type, &random)
    case 1:
      attribute.defaultValue = Self.value(of: type, &random)
      attribute.isOptional = false
    case 2 where Int.random(in: 0..<4, using: &random) == 0: attribute.isOptional = false
    default: break
    }
    entities[entity].attributes.append(attribute)
    entities[entity].usedNames.insert(attribute.name)
  }

  /// Whether the sibling has an attribute in the same column, which then has one name and type.
  private func isShared(_ index: Int, of entity: Int) -> Bool {
    guard entities[entity].parent != nil, let sibling = sibling(of: entity) else { return false }
    let attribute = entities[entity].attributes[index]
    return entities[sibling].attributes.contains {
      $0.name == attribute.name && $0.type == attribute.type
    }
  }

  /// Moves a property to the entity above, with the sibling's of the same name.
  private mutating func moveUp(from entity: Int, _ random: inout SeededGenerator) -> String {
    guard let parent = entities[entity].parent, let sibling = sibling(of: entity) else { return "" }
    if Bool.random(using: &random) {
      guard
        let index = entities[entity].attributes.indices.randomElement(using: &random),
        entities[entity].attributes[index].formerName == nil
      else { return "" }
      var attribute = entities[entity].attributes[index]
      let other = entities[sibling].attributes.firstIndex { $0.name == attribute.name }
      if let other {
        let number = entities[sibling].attributes.remove(at: other).number
        update([sibling]) { $0.values[attribute.number] = $0.values[number] }
        attribute.hasNewType = true
      }
      entities[entity].attributes.remove(at: index)
      entities[parent].attributes.append(attribute)
      return "moves \(attribute.name) up from \(entities[entity].name)"
    }
    guard
      let index = entities[entity].relationships.indices.randomElement(using: &random),
      entities[entity].relationships[index].formerName == nil
    else { return "" }
    let relationship = entities[entity].relationships.remove(at: index)
    entities[parent].relationships.append(relationship)
    let to = relationship.destination
    for index in entities[to].relationships.indices
    where entities[to].relationships[index].number == relationship.inverse {
      entities[to].relationships[index].destination = parent
    }
    return "moves \(relationship.name) up from \(entities[entity].name)"
  }

  /// Moves a property to an entity below.
  private mutating func moveDown(from entity: Int, _ random: inout SeededGenerator) -> String {
    guard let child = family(of: entity).dropFirst().randomElement(using: &random) else {
      return ""
    }
    if Bool.random(using: &random) {
      guard
        let index = entities[entity].attributes.indices.randomElement(using: &random),
        entities[entity].attributes[index].formerName == nil
      else { return "" }
      let attribute = entities[entity].attributes.remove(at: index)
      entities[child].attributes.append(attribute)
      for number in family(of: entity) { entities[number].usedNames.insert(attribute.name) }
      update(family(of: entity).filter { $0 != child }) { $0.values[attribute.number] = nil }
      return "moves \(attribute.name) down to \(entities[child].name)"
    }
    // An inverse would then lead to objects of fewer entities, which is refused.
    guard
      let index = entities[entity].relationships.indices.randomElement(using: &random),
      entities[entity].relationships[index].formerName == nil,
      entities[entity].relationships[index].inverse == nil
    else { return "" }
    let relationship = entities[entity].relationships.remove(at: index)
    entities[child].relationships.append(relationship)
    update(family(of: entity).filter { $0 != child }) { $0.links[relationship.number] = nil }
    return "moves \(relationship.name) down to \(entities[child].name)"
  }

  /// Makes two relationships inverses of each other; documents may have contradicted this.
  private mutating func pair(_ index: Int, of entity: Int) -> String? {
    let relationship = entities[entity].relationships[index]
    let to = relationship.destination
    guard relationship.inverse == nil,
      let other = entities[to].relationships.firstIndex(where: {
        $0.destination == entity && $0.inverse == nil && $0.number != relationship.number
      })
    else { return nil }
    let back = entities[to].relationships[other]
    for (entity, index, inverse) in [(entity, index, back), (to, other, relationship)] {
      entities[entity].relationships[index].inverse = inverse.number
      entities[entity].relationships[index].hasNewInverse = true
    }
    let (links, reversed) = (links(relationship, of: entity), links(back, of: to))
    addLinks(links, reversedTo: back)
    addLinks(reversed, reversedTo: relationship)
    return back.name
  }

  private mutating func removeAttribute(_ index: Int, of entity: Int) {
    var attribute = entities[entity].attributes.remove(at: index)
    // In the database it has the name that it had.
    if let former = attribute.formerName { attribute.name = former }
    attribute.formerName = nil
    attribute.isOptional = true
    attribute.defaultValue = nil
    // Which of two columns of one name a database takes back depends on the other.
    guard !attribute.hasNewType,
      entities[entity].parent == nil
        || sibling(of: entity).map({ entities[$0].usedNames.contains(attribute.name) }) == false
    else { return }
    removedAttributes[entity].append(attribute)
  }

  private mutating func addRelationship(_ random: inout SeededGenerator) {
    let from = Int.random(in: entities.indices, using: &random)
    let to = Int.random(in: entities.indices, using: &random)
    var relationship = Relationship(
      number: newNumber(), name: newName(), destination: to,
      isToMany: Bool.random(using: &random))
    relationship.isOrdered = relationship.isToMany && Bool.random(using: &random)
    if Bool.random(using: &random) {
      var inverse = Relationship(
        number: newNumber(), name: newName(), destination: from, inverse: relationship.number,
        isToMany: Bool.random(using: &random))
      inverse.isOrdered = inverse.isToMany && Bool.random(using: &random)
      relationship.inverse = inverse.number
      entities[to].relationships.append(inverse)
    }
    entities[from].relationships.append(relationship)
  }

  private mutating func removeRelationship(_ index: Int, of entity: Int) {
    var relationship = entities[entity].relationships.remove(at: index)
    if let inverse = relationship.inverse {
      let to = relationship.destination
      for index in entities[to].relationships.indices
      where entities[to].relationships[index].number == inverse {
        entities[to].relationships[index].inverse = nil
      }
    } else {
      if let former = relationship.formerName { relationship.name = former }
      relationship.formerName = nil
      removedRelationships[entity].append(relationship)
    }
  }

  /// Makes a relationship to-one or to-many, ordered or not, or gives it an inverse.
  private mutating func turn(
    _ index: Int, of entity: Int, _ random: inout SeededGenerator
  ) {
    var relationship = entities[entity].relationships[index]
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      relationship.isToMany.toggle()
      relationship.isOrdered = false
    case 1 where relationship.isToMany:
      relationship.isOrdered.toggle()
      if relationship.isOrdered {
        update(family(of: entity)) { $0.links[relationship.number]?.sort() }
      }
    case 2 where relationship.inverse == nil:
      let to = relationship.destination
      var inverse = Relationship(
        number: newNumber(), name: newName(), destination: entity, inverse: relationship.number,
        isToMany: Int.random(in: 0..<3, using: &random) > 0)
      inverse.isOrdered = inverse.isToMany && Bool.random(using: &random)
      (relationship.inverse, relationship.hasNewInverse) = (inverse.number, true)
      addLinks(links(relationship, of: entity), reversedTo: inverse)
      entities[entity].relationships[index] = relationship
      entities[to].relationships.append(inverse)
      return
    default: return
    }
    entities[entity].relationships[index] = relationship
  }

  // MARK: Values

  private static func value(
    of type: AttributeType, _ random: inout SeededGenerator
  ) -> AttributeValue {
    let number = Int64.random(in: 0..<20, using: &random)
    switch type {
    case .integer64, .integer16: return .integer(number)
    case .double: return .double(Double(number) + (Bool.random(using: &random) ? 0.5 : 0))
    case .boolean: return .boolean(number.isMultiple(of: 2))
    default: return .string(Int.random(in: 0..<4, using: &random) == 0 ? "word" : "\(number)")
    }
  }

  private static func text(_ value: AttributeValue, of type: AttributeType) -> String {
    var json = JSONWriter()
    value.withRawValue(for: type) { json.value($0, of: type) }
    return json.text
  }

  // MARK: Documents

  /// Returns a document by the present model: some objects, with some of their properties.
  func document(_ random: inout SeededGenerator) -> String {
    let members = entities.indices.map { entity in
      let objects = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        var members = ["\"id\": \(entity * 10 + Int.random(in: 0..<6, using: &random))"]
        for attribute in attributes(of: entity)
        where Bool.random(using: &random)
          || !attribute.isOptional && attribute.defaultValue == nil
        {
          let isNull = attribute.isOptional && Int.random(in: 0..<6, using: &random) == 0
          let value = Self.text(Self.value(of: attribute.type, &random), of: attribute.type)
          members.append("\"\(attribute.name)\": \(isNull ? "null" : value)")
        }
        for relationship in relationships(of: entity) where Bool.random(using: &random) {
          let identities = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            relationship.destination * 10 + Int.random(in: 0..<6, using: &random)
          }
          let value =
            relationship.isToMany
            ? "[\(identities.map(String.init).joined(separator: ", "))]"
            : identities.first.map(String.init) ?? "null"
          members.append("\"\(relationship.name)\": \(value)")
        }
        return "{\(members.joined(separator: ", "))}"
      }
      return "\"\(entities[entity].name)\": [\(objects.joined(separator: ", "))]"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  /// Returns everything that documents have said, as one document for the present model.
  var everything: String {
    let members = entities.indices.map { entity in
      let objects = objects[entity].sorted { $0.key < $1.key }.map { identity, facts in
        var members = ["\"id\": \(identity)"]
        for attribute in attributes(of: entity) {
          guard let value = facts.values[attribute.number] else { continue }
          members.append("\"\(attribute.name)\": \(value)")
        }
        for relationship in relationships(of: entity) {
          guard let links = facts.links[relationship.number] else { continue }
          let list = "[\(links.map(String.init).joined(separator: ", "))]"
          // Several for one is what an import refuses.
          let value =
            relationship.isToMany || links.count > 1
            ? list : links.first.map(String.init) ?? "null"
          members.append("\"\(relationship.name)\": \(value)")
        }
        return "{\(members.joined(separator: ", "))}"
      }
      return "\"\(entities[entity].name)\": [\(objects.joined(separator: ", "))]"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  /// Returns a store with everything that documents have said.
  func store(for model: GraphModel) throws -> GraphStore {
    let store = GraphStore(model: model)
    // A document may mention an object of an entity below before it says so.
    let known = GraphTransaction(base: store.graph)
    for entity in entities.indices {
      for identity in Array(objects[entity].keys) + stubs[entity].keys {
        _ = object(entities[entity], identity, in: known)
      }
    }
    _ = try store.commit(known)
    try store.importJSON(roots, from: Data(everything.utf8))
    let transaction = GraphTransaction(base: store.graph)
    for entity in entities.indices {
      for (identity, facts) in stubs[entity].sorted(by: { $0.key < $1.key }) {
        try addLinks(facts, ofStub: identity, entity, to: transaction)
      }
    }
    _ = try store.commit(transaction)
    return store
  }

  /// Links a stub: a document that says its links would fill it.
  private func addLinks(
    _ facts: Facts, ofStub identity: Int, _ entity: Int, to transaction: GraphTransaction
  ) throws {
    let stub = object(entities[entity], identity, in: transaction)
    for relationship in relationships(of: entity) {
      let targets = (facts.links[relationship.number] ?? [])
        .map { object(entities[$0 / 10], $0, in: transaction) }
      let number = transaction.schema.entities[stub.entity].relationships
        .firstIndex { $0.name == relationship.name }
      guard let number else { continue }
      let present = Array(transaction.targets(stub, relationship: number))
      if relationship.isOrdered ? present == targets : Set(present) == Set(targets) { continue }
      if relationship.isToMany {
        _ = transaction.setToMany(stub, relationship: number, targets.span)
      } else {
        guard targets.count < 2 else { throw SeveralTargets() }
        _ = transaction.setToOne(stub, relationship: number, targets.first)
      }
    }
  }

  /// Returns an object, or makes its stub.
  private func object(
    _ entity: Entity, _ identity: Int, in transaction: GraphTransaction
  ) -> ObjectID {
    let number = transaction.schema.entityNumbers[entity.name] ?? 0
    return BorrowedBuffer.withOne(RawValue.integer(Int64(identity))) {
      transaction.find(identityOf: number, $0)
        ?? transaction.insert(entity: number, identity: $0, stub: true)
    }
  }

  private struct SeveralTargets: Error {}

  var roots: [ImportRoot] {
    entities.compactMap { try? ImportRoot($0.name, at: $0.name) }
  }

  /// Takes up what a graph has, which documents have said.
  mutating func read(_ graph: Graph) throws {
    for (number, entity) in entities.enumerated() {
      for object in try graph.objects(entity.name) where object.schema.name == entity.name {
        guard case .integer(let identity)? = object["id"] else { continue }
        if object.isStub {
          for relationship in relationships(of: number) {
            stubs[number][Int(identity), default: Facts()].links[relationship.number] =
              Self.targets(relationship, of: object)
          }
          continue
        }
        var facts =
          objects[number][Int(identity)] ?? stubs[number].removeValue(forKey: Int(identity))
          ?? Facts()
        for attribute in attributes(of: number) {
          facts.values[attribute.number] =
            object[attribute.name].map { Self.text($0, of: attribute.type) } ?? "null"
        }
        for relationship in relationships(of: number) {
          facts.links[relationship.number] = Self.targets(relationship, of: object)
        }
        objects[number][Int(identity)] = facts
      }
    }
  }

  private static func targets(_ relationship: Relationship, of object: GraphObject) -> [Int] {
    let targets =
      relationship.isToMany
      ? object.objects(relationship.name).map { $0 }
      : object.object(relationship.name).map { [$0] } ?? []
    let identities = targets.compactMap { target -> Int? in
      guard case .integer(let identity)? = target["id"] else { return nil }
      return Int(identity)
    }
    return relationship.isOrdered ? identities : identities.sorted()
  }

  /// Returns the objects of a graph that are more than stubs, with the identities of related
  /// objects.
  func describe(_ graph: Graph) throws -> [String] {
    try entities.enumerated().flatMap { number, entity in
      try graph.objects(entity.name).filter {
        !$0.isStub && $0.schema.name == entity.name
      }.map { object in
        let values = attributes(of: number).map {
          "\($0.name)=\(object[$0.name].map(\.text) ?? "-")"
        }
        let links = relationships(of: number).map {
          "\($0.name)=\(Self.targets($0, of: object))"
        }
        return "\(entity.name) \(object["id"].map(\.text) ?? "-") \(values + links)"
      }
    }.sorted()
  }
}
