/// Values of open JSON objects that nested objects read with `@parent`.
///
/// In `{"id": 7, "items": [{"sku": "a"}]}`, with an attribute of the items at `@parent.id`, the value 7 is
/// here, in the slot of `id`, while the order is open. See `OuterValueNeeds`.
struct OuterValues {
  /// A value of a JSON object.
  struct Value {
    /// The depth of the JSON object, counted in open containers.
    var depth: Int
    var slot: Int
    /// The location of the value.
    var location: SourceLocation
    var content: Content
    /// Whether an object inside has read it.
    var isRead = false
  }

  /// The content found at a place where nested objects read a value.
  enum Content: Equatable {
    case scalar(ScalarEvent.Kind, text: [UInt8])
    /// An object or array, which nothing inside can read.
    case container(isArray: Bool)

    init(_ scalar: ScalarEvent) { self = .scalar(scalar.kind, text: Array(scalar.text)) }
  }

  private var values: [Value] = []

  /// The depth of the innermost JSON object that holds a value; 0 if there is none.
  private(set) var depth = 0

  /// Keeps a value until its object ends.
  mutating func add(_ value: Value) {
    values.append(value)
    depth = value.depth
  }

  /// Replaces a value whose key occurs again, unless nested objects have read another value.
  ///
  /// - Returns: Whether all objects have read the same.
  mutating func replace(with value: Value) -> Bool {
    guard let index = index(of: value.slot, depth: value.depth) else { return true }
    if values[index].isRead { return values[index].content == value.content }
    values[index] = value
    return true
  }

  /// Drops the values of an object that ends.
  mutating func leave(_ depth: Int) {
    while let last = values.last, last.depth >= depth { values.removeLast() }
    self.depth = values.last?.depth ?? 0
  }

  /// Returns a value of a JSON object for an object inside, if there is one.
  mutating func read(slot: Int, depth: Int) -> Value? {
    guard let index = index(of: slot, depth: depth) else { return nil }
    values[index].isRead = true
    return values[index]
  }

  private func index(of slot: Int, depth: Int) -> Int? {
    values.lastIndex { $0.depth == depth && $0.slot == slot }
  }
}
