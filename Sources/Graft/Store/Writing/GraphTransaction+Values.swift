// The model's bounds and patterns are checked for values that differ from the base: what an import
// let pass stays until somebody writes it.

extension GraphTransaction {
  /// Checks the values written in a group against the model's bounds and patterns.
  func checkValues(
    _ entity: Int, _ owned: WorkingTable.OwnedGroup,
    _ report: (_ row: Int, _ attribute: Int, _ problem: () -> String) -> Void
  ) {
    let demands = layout.valueRules[entity]
    guard !demands.isEmpty else { return }
    let shape = tables[entity].shape
    let new = owned.group.pointer
    let old = baseGroup(entity, owned.number)
    for demand in demands {
      let column = shape.attributes[demand.attribute]
      for word in 0..<shape.wordCount {
        var rows =
          new.words(at: TableShape.liveBits)[word] & new.words(at: column.validity)[word]
        while rows != 0 {
          let local = word * 64 + rows.trailingZeroBitCount
          rows &= rows - 1
          let value = new.value(local, column)
          if let old, old.isLive(local), old.holds(value, local, column) { continue }
          guard let complaint = demand.rules.complaint(about: value) else { continue }
          report(owned.number << shape.shift + local, demand.attribute) {
            let attribute = schema.entities[entity].attributes[demand.attribute]
            let text = AttributeValue(value, type: attribute.type)?.shortText ?? "nil"
            return "is \(text): \(complaint)"
          }
        }
      }
    }
  }
}
