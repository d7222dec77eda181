/// A document of points, `[[-65.613616999999977,43.420273000000009],…]`: nothing but numbers of 15 to 17
/// digits, as in files of geographic data.
enum PointFeed {
  /// Makes a document.
  ///
  /// - Parameter size: Its size in bytes, exceeded by less than one point.
  /// - Returns: The document.
  static func document(size: Int) -> [UInt8] {
    var random = SplitMix64(seed: 0x5EED_0006)
    var json = JSONBytes()
    json.raw("[")
    repeat {
      json.raw(json.bytes.count > 1 ? ",[" : "[")
      coordinate(below: 180, to: &json, using: &random)
      json.raw(",")
      coordinate(below: 90, to: &json, using: &random)
      json.raw("]")
    } while json.bytes.count < size
    json.raw("]")
    return json.bytes
  }

  private static func coordinate(
    below limit: Int, to json: inout JSONBytes, using random: inout SplitMix64
  ) {
    let degrees = String(10 + random.below(limit - 10))
    if random.percent(50) { json.raw("-") }
    json.raw(degrees)
    json.raw(".")
    for _ in 0..<13 + random.below(3) + 2 - degrees.utf8.count {
      json.number(random.below(10))
    }
  }
}
