/// A document of points, `[[-65.613616999999977,43.420273000000009],…]`: nothing but numbers of 15 to 17
/// digits, as in files of geographic data.
enum PointFeed {
  /// Makes a document.
  ///
  /// - Parameter size: Its size in bytes, exceeded by less than one point.
  /// - Returns: The document.
  static func document(size: Int) -> [UInt8] {
    document(size: size, "[", ["[", ",", "]"], "]")
  }

  /// Makes a document of the same points as objects: `{"points":[{"x":-65.613616999999977,"y":…},…]}`.
  static func objects(size: Int) -> [UInt8] {
    document(size: size, #"{"points":["#, [#"{"x":"#, #","y":"#, "}"], "]}")
  }

  private static func document(
    size: Int, _ start: String, _ parts: [String], _ end: String
  ) -> [UInt8] {
    var random = SplitMix64(seed: 0x5EED_0006)
    var json = JSONBytes()
    json.raw(start)
    var separator = ""
    repeat {
      json.raw(separator + parts[0])
      coordinate(below: 180, to: &json, using: &random)
      json.raw(parts[1])
      coordinate(below: 90, to: &json, using: &random)
      json.raw(parts[2])
      separator = ","
    } while json.bytes.count < size
    json.raw(end)
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
