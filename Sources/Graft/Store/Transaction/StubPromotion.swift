// An object never changes its entity, because its identifier names the entity. A stub that is found
// to be of a sub-entity is promoted: another object takes its place.
//
// Example: a note's `party` is the bare identifier 7, so 7 becomes a stub of `Party`. Later the
// document has the person 7. A `Person` with the identity 7 is inserted, the note's `party` leads
// to it, it has the stub's notes, and the stub is removed.
//
// Relationships with an inverse are found from the stub's own side and moved at once; each link
// keeps its position in its list. Links to the stub by a relationship without inverse cannot be
// found from its side. One pass over those relationships redirects them for all promoted stubs
// together.

/// Moves the links of a stub to the object that takes its place.
struct StubPromotion {
  let links: LinkWriter
  let stub: ObjectID
  /// An object of a sub-entity, without links yet.
  let replacement: ObjectID

  func moveLinks() {
    let tables = links.tables
    let shape = tables[stub.entity].shape
    for number in 0..<shape.relationshipCount {
      let targets = tables.targets(stub, relationship: number)
      if targets.isEmpty { continue }
      let inverse = shape.relationships[number].inverse
      if inverse >= 0 {
        for target in targets where target != stub {
          links.replace(stub, by: replacement, in: target, inverse)
        }
      }
      links.writeTargets(replacement, number, targets.map { $0 == stub ? replacement : $0 })
    }
  }
}
