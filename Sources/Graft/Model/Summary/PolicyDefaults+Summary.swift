extension DialectRules {
  /// What differs from Graft's own dialect, in words.
  var differences: [String] {
    var words: [String] = []
    if let policy = policies.missingIdentity {
      words.append("missing identity: \(policy.rawValue)")
    }
    if let policy = policies.reference {
      words.append("unknown bare identifier: \(policy.rawValue)")
    }
    if let policy = policies.collection { words.append("to-many: \(policy.rawValue)") }
    if deletesRemovedChildren { words.append("removed children: delete") }
    if policies.wrapsSingleObjects == true { words.append("one object serves for an array of one") }
    if instantiatesAbstract { words.append("abstract entities have objects") }
    if fillsPresentTarget {
      words.append("an object without identity fills the one that is linked")
    }
    return words
  }
}
