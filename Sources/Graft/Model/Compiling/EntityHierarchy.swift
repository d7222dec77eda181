// Entities keep the numbers of their declaration, but are compiled after the entities that they
// inherit from. An unknown super-entity or a cycle is reported and left out, so that the rest can
// still be checked.

/// The inheritance between a model's entities.
struct EntityHierarchy {
  /// The numbers of the entities by name.
  let numbers: [String: Int]
  /// The number of each entity's super-entity.
  private(set) var superentities: [Int?]
  /// All numbers, super-entities before their sub-entities.
  private(set) var order: [Int] = []
  /// For each entity its own number and those of all entities below, ascending.
  private(set) var families: [[Int]] = []

  init(_ entities: [EntityDescription], log: IssueLog) {
    numbers = Self.numbers(of: entities, log: log)
    superentities = [Int?](repeating: nil, count: entities.count)
    for (number, entity) in entities.enumerated() {
      guard let name = entity.superentity else { continue }
      superentities[number] = numbers[name]
      if numbers[name] == nil, !log.isFull {
        log.error(
          "unknown super-entity \"\(name)\"" + suggestion(for: name, in: numbers.keys),
          entity: entity.name)
      }
    }
    sort(entities, log: log)
    gatherFamilies()
  }

  /// Returns an entity and all those above it, beginning with the entity.
  func lineage(of number: Int) -> [Int] {
    Array(sequence(first: number) { superentities[$0] })
  }

  private static func numbers(of entities: [EntityDescription], log: IssueLog) -> [String: Int] {
    var numbers = [String: Int]()
    for (number, entity) in entities.enumerated() {
      if entity.name.isEmpty {
        log.error("entity \(number + 1) of the model has no name; give it one")
      } else if numbers[entity.name] != nil {
        log.error("declared twice; rename or remove one", entity: entity.name)
      } else {
        numbers[entity.name] = number
      }
    }
    return numbers
  }

  /// Follows the superentities upwards to the top, to an entity that is already in order, or back
  /// to the entity itself, which is a cycle.
  private mutating func sort(_ entities: [EntityDescription], log: IssueLog) {
    var depths = [Int](repeating: 0, count: entities.count)
    for start in entities.indices where depths[start] == 0 {
      var line: [Int] = []
      var isOnLine: Set<Int> = []
      var next: Int? = start
      while let number = next, depths[number] == 0 {
        guard isOnLine.insert(number).inserted else {
          let names = line.drop { $0 != number }.map { entities[$0].name } + [entities[number].name]
          log.error(
            "inherits from itself: \(names.joined(separator: " → ")); remove one super-entity",
            entity: entities[number].name)
          superentities[line[line.count - 1]] = nil
          break
        }
        line.append(number)
        next = superentities[number]
      }
      for number in line.reversed() {
        depths[number] = 1 + (superentities[number].map { depths[$0] } ?? 0)
        order.append(number)
        if depths[number] > ModelLimits.depth {
          log.error(
            "more than \(ModelLimits.depth) entities inherit from one another; flatten the hierarchy",
            entity: entities[number].name)
          superentities[number] = nil
          depths[number] = 1
        }
      }
    }
  }

  private mutating func gatherFamilies() {
    families = superentities.indices.map { _ in [] }
    for number in superentities.indices {
      for ancestor in lineage(of: number) { families[ancestor].append(number) }
    }
  }
}
