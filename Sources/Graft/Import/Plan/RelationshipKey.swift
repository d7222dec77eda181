/// A relationship, with the topmost entity that has it.
package struct RelationshipKey: Hashable, Comparable {
  package var entity: Int
  package var number: Int

  package init(entity: Int, number: Int) {
    self.entity = entity
    self.number = number
  }

  package static func < (lhs: RelationshipKey, rhs: RelationshipKey) -> Bool {
    (lhs.entity, lhs.number) < (rhs.entity, rhs.number)
  }
}
