/// Numbers as a person reads them.
enum Amount {
  /// `1,234,567`.
  static func number(_ value: Int) -> String {
    var text = ""
    for (index, digit) in String(value).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// `1 object`, `2 objects`.
  static func count(_ value: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number(value)) \(value == 1 ? one : many ?? one + "s")"
  }

  /// `3.2 ms`, `1.25 s`, `2 min 5 s`.
  static func duration(_ duration: Duration) -> String {
    let seconds = seconds(duration)
    if seconds < 1 { return "\(decimal(seconds * 1000, digits: 1)) ms" }
    if seconds < 120 { return "\(decimal(seconds, digits: 2)) s" }
    return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s"
  }

  /// Megabytes, of a million bytes each, per second.
  static func speed(byteCount: Int, duration: Duration) -> String {
    let seconds = max(seconds(duration), 1e-9)
    let speed = Double(byteCount) / 1e6 / seconds
    return "\(decimal(speed, digits: speed < 10 ? 1 : 0)) MB/s"
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }

  private static func decimal(_ value: Double, digits: Int) -> String {
    let unit = digits == 0 ? 1 : digits == 1 ? 10 : 100
    let scaled = Int((value * Double(unit)).rounded())
    guard digits > 0 else { return number(scaled) }
    let fraction = String(scaled % unit)
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(number(scaled / unit)).\(zeros)\(fraction)"
  }
}
