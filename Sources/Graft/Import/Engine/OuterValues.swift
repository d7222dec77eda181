/// What open JSON objects hold that objects inside them read at `@parent`.
///
/// In `{"id": 7, "items": [{"sku": "a"}]}`, with an attribute of the items at `@parent.id`, the value 7 is
/// here, in the slot of `id`, while the order is open. See `OuterValueNeeds`.
struct OuterValues {
  private struct Value {
    /// The depth of the JSON object, counted in open containers.
    var depth: Int
    var slot: Int
    /// Nil where it is no scalar.
    var kind: ScalarEvent.Kind?
    var text: [UInt8] = []
  }

  private var values: [Value] = []

  /// The depth of the innermost JSON object that holds a value; 0 where there is none.
  private(set) var depth = 0

  /// Keeps a value until its object ends.
  mutating func add(_ scalar: ScalarEvent, slot: Int, depth: Int) {
    values.append(
      Value(depth: depth, slot: slot, kind: scalar.kind, text: Array(scalar.text)))
    self.depth = depth
  }

  /// Notes that a value is an object or array, which nothing inside can read.
  mutating func addContainer(slot: Int, depth: Int) {
    values.append(Value(depth: depth, slot: slot, kind: nil))
    self.depth = depth
  }

  /// Drops the values of an object that ends.
  mutating func leave(_ depth: Int) {
    while let last = values.last, last.depth >= depth { values.removeLast() }
    self.depth = values.last?.depth ?? 0
  }

  /// Lends a value of a JSON object, if it has one; nil where that is an object or array.
  func withValue(
    slot: Int, depth: Int, _ body: (ScalarEvent?) throws(ImportStop) -> Void
  ) throws(ImportStop) {
    guard let value = values.last(where: { $0.depth == depth && $0.slot == slot }) else { return }
    guard let kind = value.kind else { return try body(nil) }
    try value.text.withBorrowed { text throws(ImportStop) in
      try body(ScalarEvent(kind: kind, text: text))
    }
  }
}
