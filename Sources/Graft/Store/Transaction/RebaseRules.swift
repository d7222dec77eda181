/// Says what a transaction may do to objects that other commits have inserted, changed or deleted since it began.
///
/// The policies of an import hold for the graph that it read. These are the ones that also hold for the graph onto
/// which a ``Rebase`` replays it.
package struct RebaseRules {
  /// Whether an object that another commit has deleted is inserted again.
  var insertsObjects = true
  /// Whether an object that another commit has inserted too, or a stub that it has filled too, takes the values of
  /// the transaction.
  var updatesObjects = true
  /// The attribute of each entity that must be greater than in the new graph, so that an object takes the values of
  /// the transaction; empty for no such rule.
  var modifiedAttributes: [Int?] = []

  /// Returns the number of an entity's attribute that must be greater; nil if any value will do.
  func modifiedAttribute(of entity: Int) -> Int? {
    entity < modifiedAttributes.count ? modifiedAttributes[entity] : nil
  }
}
