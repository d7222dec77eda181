/// Reads and writes numbers in a form for people.
package enum Amount {
  /// Writes a number with separators: `1,234,567`.
  package static func number(_ value: Int) -> String {
    var text = ""
    for (index, digit) in String(value).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// Writes a number with its noun: `1 object`, `2 objects`.
  package static func count(_ value: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number(value)) \(value == 1 ? one : many ?? one + "s")"
  }

  /// Writes a duration: `3.2 ms`, `1.25 s`, `2 min 5 s`.
  package static func duration(_ duration: Duration) -> String {
    let seconds = duration.seconds
    if seconds < 1 { return "\(decimal(seconds * 1000, digits: 1)) ms" }
    if seconds < 120 { return "\(decimal(seconds, digits: 2)) s" }
    return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s"
  }

  /// Writes a speed in megabytes, of a million bytes each, per second.
  package static func speed(byteCount: Int, duration: Duration) -> String {
    let seconds = max(duration.seconds, 1e-9)
    let speed = Double(byteCount) / 1e6 / seconds
    return "\(decimal(speed, digits: speed < 10 ? 1 : 0)) MB/s"
  }

  /// Reads a number of bytes: `65536`, `64KB`, `1.5 MB`, `64KiB`; units of thousands, or with an `i` of 1024.
  ///
  /// - Returns: The number; nil for what is none, or too large.
  package static func byteCount(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    if unit.isEmpty || unit == "b", let count = Int(digits) { return count }
    let units = [
      "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1_024, "mib": 1_048_576, "gib": 1_073_741_824,
    ]
    guard let number = Double(digits), let factor = units[unit] else { return nil }
    let count = number * factor
    return count.isFinite && count < 1e15 ? Int(count.rounded()) : nil
  }

  /// Writes a number with a fixed count of decimals, 0 to 3: `1,234.57`.
  package static func decimal(_ value: Double, digits: Int) -> String {
    let unit = [1, 10, 100, 1000][digits]
    let scaled = Int((value * Double(unit)).rounded())
    guard digits > 0 else { return number(scaled) }
    let fraction = String(scaled % unit)
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(number(scaled / unit)).\(zeros)\(fraction)"
  }
}

extension Duration {
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
