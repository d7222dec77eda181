package import Graft

/// Writes the line that shows the progress of an import.
///
/// `feed.json ██████░░░░░░░░░ 42 %  12.3 of 29.1 MB  85 MB/s  1 s left`, or of a list of pages
/// `https://api.example.com/issues page 31  12.3 MB  2.1 MB/s`
package enum ProgressText {
  private static let barWidth = 20

  /// Writes the line.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - progress: The progress.
  ///   - elapsed: The time since the beginning.
  ///   - width: The most characters of the line; its less important parts are left out.
  /// - Returns: The line, without a line break.
  package static func line(
    of name: String, _ progress: ImportProgress, elapsed: Duration, width: Int
  ) -> String {
    let fraction = progress.fractionCompleted.map { min(1, max(0, $0)) }
    let speed = Amount.speed(byteCount: progress.byteCount, duration: elapsed)
    var parts = [
      Amount.bytes(progress.byteCount, of: progress.totalByteCount), speed,
    ]
    var bar = ""
    if let fraction {
      let filled = Int(fraction * Double(barWidth))
      bar =
        String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
        + " "
      parts[0] = "\(Int(fraction * 100)) %  " + parts[0]
      // The first moments give no reliable speed.
      if fraction > 0.01, elapsed > .seconds(1) {
        let left = elapsed.seconds * (1 - fraction) / fraction
        parts.append("\(Amount.time(seconds: left)) left")
      }
    }
    if let wait = progress.wait {
      parts.append("failed, again in \(Amount.time(seconds: wait.seconds))")
    }
    if let page = progress.page { parts.insert("page \(page)", at: 0) }
    let text = parts.joined(separator: "  ")
    if name.count + 1 + bar.count + text.count > width { bar = "" }
    let room = width - 1 - bar.count - text.count
    guard room > 0 else { return String(text.prefix(max(0, width))) }
    let shown = name.count > room ? "…" + name.suffix(room - 1) : name
    return "\(shown) \(bar)\(text)"
  }
}

extension Amount {
  private static let units: [(factor: Double, name: String)] = [
    (1e9, "GB"), (1e6, "MB"), (1e3, "KB"),
  ]

  /// Writes a number of bytes: `512 bytes`, `12.3 MB`, or with a total `12.3 of 29.1 MB`.
  package static func bytes(_ count: Int, of total: Int? = nil) -> String {
    let largest = Double(max(count, total ?? 0))
    guard let unit = units.first(where: { largest >= $0.factor }) else {
      return total.map { "\(number(count)) of \(self.count($0, "byte"))" }
        ?? self.count(count, "byte")
    }
    func amount(_ count: Int) -> String { decimal(Double(count) / unit.factor, digits: 1) }
    return (total.map { "\(amount(count)) of \(amount($0))" } ?? amount(count)) + " \(unit.name)"
  }

  /// Returns a time in whole seconds: `12 s`, `3 min 5 s`, `1 h 5 min`.
  package static func time(seconds: Double) -> String {
    // Four months: a longer estimate means nothing.
    let seconds = Int(min(max(0, seconds.rounded(.up)), 1e7))
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
  }
}
