extension PolicyDefaults {
  /// What differs from Graft's own defaults, in words.
  var differences: [String] {
    let own = PolicyDefaults()
    var words: [String] = []
    func tell(_ isDifferent: Bool, _ text: String) {
      if isDifferent { words.append(text) }
    }
    tell(missingIdentity != own.missingIdentity, "missing identity: \(missingIdentity.rawValue)")
    tell(reference != own.reference, "unknown bare identifier: \(reference.rawValue)")
    tell(collection != own.collection, "to-many: \(collection.rawValue)")
    tell(removedOwned != own.removedOwned, "removed children: \(removedOwned.rawValue)")
    tell(removedShared != own.removedShared, "removed members: \(removedShared.rawValue)")
    tell(onNullAttribute != own.onNullAttribute, "null attribute: \(onNullAttribute.rawValue)")
    tell(
      onAbsentAttribute != own.onAbsentAttribute, "absent attribute: \(onAbsentAttribute.rawValue)")
    tell(
      onNullRelationship != own.onNullRelationship,
      "null relationship: \(onNullRelationship.rawValue)")
    tell(
      onAbsentRelationship != own.onAbsentRelationship,
      "absent relationship: \(onAbsentRelationship.rawValue)")
    tell(wrapsSingleObjects, "one object serves for an array of one")
    tell(instantiatesAbstract, "abstract entities have objects")
    tell(fillsPresentTarget, "an object without identity fills the one that is linked")
    return words
  }
}
