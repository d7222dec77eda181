// Dates in the form that a pattern asks for, always in UTC.
//
// Raw memory: `write` fills what its caller gives it, which has room for `maximumByteCount` bytes;
// no field writes more than its share of that.

extension DatePattern {
  /// The bytes that a date takes at most.
  var maximumByteCount: Int {
    (fields ?? []).reduce(0) { $0 + $1.width + 20 }
  }

  /// Writes a date; for a pattern that is made of known fields only.
  ///
  /// - Parameters:
  ///   - interval: Seconds since 2001; rounded to the millisecond, then cut to what the pattern
  ///     shows.
  ///   - start: Where the text goes.
  /// - Returns: The number of bytes written.
  /// - Precondition: The date is within ``DateText/writableRange``.
  func write(_ interval: Double, to start: UnsafeMutablePointer<UInt8>) -> Int {
    guard let fields else { return 0 }
    let milliseconds =
      Int((interval * 1000).rounded()) + Int(EpochSeconds.referenceDate) * 1000
    let seconds = milliseconds.floored(by: 1000)
    let date = CivilDate(secondsSince1970: seconds.quotient)
    let weekday = (seconds.quotient.floored(by: 86_400).quotient + 4).floored(by: 7).remainder
    var writer = DatePatternWriter(start)
    for part in fields {
      writer.write(
        part.field, part.width, date, weekday: weekday, milliseconds: seconds.remainder)
    }
    return writer.count
  }
}

/// Writes the fields of a date pattern one after the other.
private struct DatePatternWriter {
  private static let months: [StaticString] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let weekdays: [StaticString] = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  private let start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0

  init(_ start: UnsafeMutablePointer<UInt8>) {
    self.start = start
  }

  @inline(__always)
  mutating func write(
    _ field: DatePattern.Field, _ width: Int, _ date: CivilDate, weekday: Int, milliseconds: Int
  ) {
    switch field {
    case .year: number(date.year, width)
    case .twoDigitYear: number(date.year.floored(by: 100).remainder, 2)
    case .month: number(date.month, width)
    case .shortMonthName: name(Self.months[date.month - 1], 3)
    case .monthName: name(Self.months[date.month - 1])
    case .day: number(date.day, width)
    case .weekday: name(Self.weekdays[weekday])
    case .shortWeekday: name(Self.weekdays[weekday], 3)
    case .hour: number(date.hour, width)
    case .halfDayHour: number((date.hour + 11) % 12 + 1, width)
    case .minute: number(date.minute, width)
    case .second: number(date.second, width)
    case .fraction: fraction(milliseconds, width)
    case .dayHalf: name(date.hour < 12 ? "AM" : "PM")
    case .zone(let letter): zone(letter, width)
    case .literal(let byte): put(byte)
    }
  }

  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    start[count] = byte
    count += 1
  }

  @inline(__always)
  private mutating func name(_ text: StaticString, _ length: Int? = nil) {
    for index in 0..<(length ?? text.utf8CodeUnitCount) { put(text.utf8Start[index]) }
  }

  /// Zeros in front, as many as the width asks for.
  @inline(__always)
  private mutating func number(_ value: Int, _ width: Int) {
    if value < 0 { put(0x2D) }
    let magnitude = Int(value.magnitude)
    var digits = 1
    var bound = 10
    while bound <= magnitude {
      digits += 1
      bound *= 10
    }
    let length = max(digits, width)
    var rest = magnitude
    var position = count + length
    while position > count {
      position -= 1
      start[position] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += length
  }

  /// Greenwich, in the form that the letter asks for.
  private mutating func zone(_ letter: UInt8, _ width: Int) {
    switch (letter, width) {
    case (0x58, _), (0x5A, 5): put(0x5A)
    case (0x7A, _), (0x5A, 4): name("GMT")
    case (0x78, 1): name("+00")
    case (0x78, 3), (0x78, 5): name("+00:00")
    default: name("+0000")
    }
  }

  /// Digits from the left, zeros behind the third.
  private mutating func fraction(_ milliseconds: Int, _ width: Int) {
    let digits = [milliseconds / 100, milliseconds / 10 % 10, milliseconds % 10]
    for index in 0..<width { put(0x30 + UInt8(index < 3 ? digits[index] : 0)) }
  }
}
