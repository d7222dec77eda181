import Graft

/// Decides the order in which the entities of a whole graph are written.
///
/// Entities that others refer to come first, so that an import finds most objects before the
/// references to them.
///
/// If entities refer to each other in a circle, the one with the fewest references to later ones
/// comes first, and among equals the first of the model. References that an import skips or refuses
/// where it does not know the object yet count for more than all others.
struct ExportOrder {
  /// The numbers of the entities.
  let numbers: [Int]

  /// The number of an entity's references to entities that come later.
  private struct Waiting {
    var needed = 0
    var all = 0
  }

  /// - Complexity: O(*n*²) in the number of entities, and O(*n*) in the number of relationships.
  init(_ entities: [OuterValuePlan], _ relationships: [RelationshipStep], _ schema: ModelSchema) {
    var waiting = entities.map { _ in Waiting() }
    var referring = entities.map { _ in [(entity: Int, isNeeded: Bool)]() }
    for (number, entity) in entities.enumerated() {
      var references: [Int: Bool] = [:]
      for relationship in entity.relationships.lazy.map({ relationships[$0] }) {
        for target in schema.entities[relationship.destination].family where target != number {
          references[target, default: false] =
            references[target, default: false] || relationship.needsEarlierObjects
        }
      }
      waiting[number].all = references.count
      for (target, isNeeded) in references {
        referring[target].append((number, isNeeded))
        if isNeeded { waiting[number].needed += 1 }
      }
    }
    var remaining = Array(entities.indices)
    var numbers: [Int] = []
    while !remaining.isEmpty {
      var next = 0
      for index in remaining.indices.dropFirst() {
        let (candidate, best) = (waiting[remaining[index]], waiting[remaining[next]])
        if (candidate.needed, candidate.all) < (best.needed, best.all) { next = index }
      }
      let number = remaining.remove(at: next)
      numbers.append(number)
      for (entity, isNeeded) in referring[number] {
        waiting[entity].all -= 1
        if isNeeded { waiting[entity].needed -= 1 }
      }
    }
    self.numbers = numbers
  }
}
