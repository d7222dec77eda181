// An object's entity may depend on its content: on a discriminator, on an entity mapper, or on the
// existing object with its identity. In this case the container has one variant for each outcome,
// compiled like any other, and the events of the object wait in a `ReplayBuffer` until
// `EntityDecider` chooses a variant. So do the events of an object that a dictionary transformer
// rewrites, and of an object with values that nested objects read (`OuterValueNeeds`).

/// The values that must be known before an object's entity is.
struct PlanDecision {
  /// An object of the graph whose entity is open.
  struct Choice {
    /// The entity that the model names at this place.
    var entity: Int
    /// The paths to the name of the entity; the first one with a value counts.
    var discriminators: [JSONPath]
    /// The entity mapper that chooses the entity.
    var mapper: ObjectCode<String>?
    /// The entities by their values of the discriminator.
    var values: [String: Int]
    /// The entity where the discriminator has another value; nil makes that an error.
    var unknown: Int?
    /// The instantiable entities of the family that have sub-entities; an existing object may be of one of these.
    var entitiesWithSubentities: Set<Int>
    /// The parts of the identity; empty without identity.
    var identity: [IdentityPart]
  }

  /// One attribute of an identity.
  struct IdentityPart {
    var paths: [JSONPath]
    var conversion: Conversion
    var property: Int32
  }

  /// A dictionary transformer that rewrites the object.
  struct Rewriter {
    /// The entity that mentions it.
    var entity: Int
    var code: ObjectCode<[String: JSONValue]>
  }

  /// A value of this object that nested objects read (`@parent`).
  struct OuterValue {
    var slot: Int
    var path: JSONPath
    /// The index of the object.
    var index: PlanPosition.Index
  }

  /// A key whose value must have been seen.
  struct AwaitedKey {
    var key: [UInt8]
    /// Whether a scalar other than `null` is awaited.
    var needsScalar: Bool
  }

  var rewriters: [Rewriter]
  var outerValues: [OuterValue]
  var choices: [Choice]
  /// Whether the identity must be known too, with any discriminator.
  var needsIdentity: Bool
  /// The containers by the entities chosen.
  var variants: [[Int]: Int32]

  /// The keys of the objects under which the identities are.
  var identityKeys: [[UInt8]]

  /// Whether the key of the object decides, if it has one.
  var needsKey: Bool { choices.contains { $0.discriminators.contains { $0.steps == [.key] } } }

  /// The keys whose values decide as soon as all of them have been seen, unless the entity that they name has others
  /// below it; nil if the whole object must be known.
  var awaitedKeys: [AwaitedKey]? {
    guard rewriters.isEmpty, choices.isEmpty || !needsIdentity else { return nil }
    var keys: [AwaitedKey] = []
    func add(_ key: [UInt8], needsScalar: Bool) {
      if let index = keys.firstIndex(where: { $0.key == key }) {
        keys[index].needsScalar = keys[index].needsScalar || needsScalar
      } else {
        keys.append(AwaitedKey(key: key, needsScalar: needsScalar))
      }
    }
    for choice in choices {
      // A key is known from the beginning.
      guard let path = choice.discriminators.first(where: { $0.steps != [.key] }) else {
        if choice.discriminators.isEmpty { return nil }
        continue
      }
      guard path.steps.count == 1, let key = path.firstKey else { return nil }
      add(key, needsScalar: true)
    }
    for value in outerValues where value.path.steps != [.key] && value.path.steps != [.index] {
      guard let key = value.path.firstKey else { return nil }
      add(key, needsScalar: false)
    }
    return keys
  }
}

extension PlanBuilder {
  /// More combinations than any model needs, so that a model that multiplies them is refused instead of
  /// filling the memory.
  private static let maximumCombinations = 1024

  /// Returns the container that begins with these actions and holds these items, with its
  /// variants where its objects' entities are open.
  func container(_ content: PlanPosition.Container) throws -> Int32 {
    guard !content.isEmpty else { return -1 }
    let number = try compile(content)
    let open = content.opens.indices.filter { isOpen(Int(content.opens[$0].entity)) }
    let rewriters = rewriters(of: content)
    let outerValues = outerValues(of: content)
    guard !open.isEmpty || !rewriters.isEmpty || !outerValues.isEmpty else { return number }
    let entities = open.map { Int(content.opens[$0].entity) }
    var variants: [[Int]: Int32] = [entities: number]
    for outcome in try outcomes(of: entities) where outcome != entities {
      var variant = content
      for (index, entity) in zip(open, outcome) { variant.opens[index].entity = Int32(entity) }
      variants[outcome] = try compile(variant)
    }
    let choices = entities.map { choice($0) }
    tables.decisions.append(
      PlanDecision(
        rewriters: rewriters, outerValues: outerValues, choices: choices,
        needsIdentity: options.mode == .updateOnly,
        variants: variants,
        identityKeys: choices.flatMap(\.identity).flatMap(\.paths).compactMap(\.firstKey)))
    tables.containers[Int(number)].decision = Int32(tables.decisions.count - 1)
    return number
  }

  /// Returns the dictionary transformers of the objects that begin with a container, each once.
  private func rewriters(of content: PlanPosition.Container) -> [PlanDecision.Rewriter] {
    var rewriters: [PlanDecision.Rewriter] = []
    for open in content.opens {
      let entity = Int(open.entity)
      guard let code = schema.entities[entity].dictionaryTransformer,
        !rewriters.contains(where: { $0.code == code })
      else { continue }
      rewriters.append(PlanDecision.Rewriter(entity: entity, code: code))
    }
    return rewriters
  }

  /// Returns the values of a container that nested objects read.
  func outerValues(of content: PlanPosition.Container) -> [PlanDecision.OuterValue] {
    guard content.isObject, !outerValues.paths.isEmpty else { return [] }
    var slots: Set<Int> = []
    for item in content.inside {
      if case .node(let tree, let node) = item.source {
        slots.formUnion(outerValues.slots(at: node, of: tree))
      }
    }
    // The objects that begin with the container, those at `$` included.
    var entities = content.opens.flatMap { schema.entities[Int($0.entity)].family }
    var seen = Set(entities)
    while let entity = entities.popLast() {
      slots.formUnion(outerValues.slots(at: 0, of: entity))
      for (number, _) in self.entities[entity].relationshipsAtObject {
        let destination = schema.entities[entity].relationships[number].destination
        let family = schema.entities[destination].family
        entities += family.filter { seen.insert($0).inserted }
      }
    }
    let index = content.opens.first?.index ?? .ofElement
    return slots.sorted().map {
      PlanDecision.OuterValue(
        slot: $0, path: outerValues.paths[$0], index: index)
    }
  }

  /// Returns whether an entity's positions depend on the content of its objects.
  private func isOpen(_ number: Int) -> Bool {
    if let isOpen = openEntities[number] { return isOpen }
    let isOpen = dependsOnObject(number)
    openEntities[number] = isOpen
    return isOpen
  }

  private func dependsOnObject(_ number: Int) -> Bool {
    let entity = schema.entities[number]
    // An update-only import skips unknown objects with all they hold, so it must know them first.
    if options.mode == .updateOnly, !entity.identity.isEmpty { return true }
    if entity.mapper != nil { return true }
    guard entity.family.count > 1 else { return false }
    if !entity.discriminators.isEmpty { return true }
    guard !entity.identity.isEmpty else { return false }
    return entity.family.contains { member in
      let other = schema.entities[member]
      return other.attributes.map(\.paths) != entity.attributes.map(\.paths)
        || other.relationships.map(\.paths) != entity.relationships.map(\.paths)
    }
  }

  /// Returns all combinations of entities that undecided objects may have.
  private func outcomes(of entities: [Int]) throws -> [[Int]] {
    var outcomes: [[Int]] = [[]]
    for entity in entities {
      let members = schema.entities[entity].family
      // The sub-entities of one entity are as many as the model has; only those of several multiply.
      guard
        min(outcomes.count, members.count) == 1
          || outcomes.count * members.count <= Self.maximumCombinations
      else {
        throw ImportError(
          kind: .model,
          message:
            "more than \(Self.maximumCombinations) combinations of sub-entities read the same JSON"
            + " object; let fewer relationships read the same path")
      }
      outcomes = outcomes.flatMap { outcome in members.map { outcome + [$0] } }
    }
    return outcomes
  }

  private func choice(_ number: Int) -> PlanDecision.Choice {
    let entity = schema.entities[number]
    let identity = entity.identity.map { attribute in
      let property = property(number, .attribute(attribute))
      return PlanDecision.IdentityPart(
        paths: entity.attributes[attribute].paths,
        conversion: tables.properties[Int(property)].conversion(entity.attributes[attribute]),
        property: property)
    }
    let parents = entity.family.filter {
      entities[$0].isInstantiable && schema.entities[$0].family.count > 1
    }
    return PlanDecision.Choice(
      entity: number, discriminators: entity.discriminators, mapper: entity.mapper,
      values: entity.discriminated, unknown: entity.unknownEntity,
      entitiesWithSubentities: Set(parents), identity: identity)
  }
}
