/// A figure, and the bar that it is held to.
struct Bar: Encodable {
  let name: String
  let value: Double
  let unit: String
  /// The value that is good enough; nil where nothing is asked.
  var bar: Double?
  /// Whether more is better.
  var isFloor = false

  var isMet: Bool? { bar.map { isFloor ? value >= $0 : value <= $0 } }
}
