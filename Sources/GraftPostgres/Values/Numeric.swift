/// A decimal number as Postgres sends it: digits of four decimals each.
///
/// The first digit counts 10000 to the power of `weight`.
struct Numeric {
  private(set) var digits: [Int16] = []
  private(set) var weight: Int16 = 0
  /// 0x0000 or, for negative numbers, 0x4000.
  private(set) var sign: UInt16 = 0
  /// The number of decimals after the point.
  private(set) var scale: Int16 = 0

  private static let negative: UInt16 = 0x4000

  /// Reads `-123.45`; nil for anything else.
  init?(text: some Collection<UInt8>) {
    let isNegative = text.first == 0x2D
    let parts = (isNegative ? text.dropFirst() : text[...])
      .split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
    let whole = Array(parts[0].drop { $0 == 0x30 })
    let fraction = parts.count > 1 ? Array(parts[1]) : []
    guard !text.isEmpty, (whole + fraction).allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    scale = Int16(clamping: fraction.count)
    sign = isNegative ? Self.negative : 0
    // Both sides of the point are filled to groups of four.
    let decimals =
      [UInt8](repeating: 0x30, count: (4 - whole.count % 4) % 4) + whole + fraction
      + [UInt8](repeating: 0x30, count: (4 - fraction.count % 4) % 4)
    weight = Int16(clamping: (whole.count + 3) / 4 - 1)
    for start in stride(from: 0, to: decimals.count, by: 4) {
      digits.append(decimals[start..<start + 4].reduce(0) { $0 * 10 + Int16($1 - 0x30) })
    }
    while digits.first == 0 {
      digits.removeFirst()
      weight -= 1
    }
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty { (weight, sign) = (0, 0) }
  }

  /// Reads the server's number; nil for `NaN` and the infinities.
  init?(wire: RawSpan) {
    guard let count = wire.integer(at: 0, as: Int16.self), count >= 0,
      let weight = wire.integer(at: 2, as: Int16.self),
      let sign = wire.integer(at: 4, as: UInt16.self), sign == 0 || sign == Self.negative,
      let scale = wire.integer(at: 6, as: Int16.self)
    else { return nil }
    for index in 0..<Int(count) {
      guard let digit = wire.integer(at: 8 + 2 * index, as: Int16.self), 0..<10_000 ~= digit else {
        return nil
      }
      digits.append(digit)
    }
    (self.weight, self.sign, self.scale) = (weight, sign, scale)
  }

  /// The number in plain notation, without superfluous zeros; nil if it has more digits than `Decimal`.
  var text: String? {
    var significant: [UInt8] = digits.flatMap { digit in
      let text = Array(String(digit).utf8)
      return [UInt8](repeating: 0x30, count: 4 - text.count) + text
    }
    // The power of ten of the last of them.
    var exponent = (Int(weight) - digits.count + 1) * 4
    while significant.last == 0x30 {
      significant.removeLast()
      exponent += 1
    }
    significant = Array(significant.drop { $0 == 0x30 })
    guard !significant.isEmpty else { return "0" }
    guard significant.count <= 38, -128...127 ~= exponent else { return nil }
    if exponent > 0 {
      significant += [UInt8](repeating: 0x30, count: exponent)
    } else if exponent < 0 {
      let missing = max(0, 1 - exponent - significant.count)
      significant.insert(contentsOf: [UInt8](repeating: 0x30, count: missing), at: 0)
      significant.insert(0x2E, at: significant.count + exponent)
    }
    return (sign == 0 ? "" : "-") + String(decoding: significant, as: UTF8.self)
  }
}
