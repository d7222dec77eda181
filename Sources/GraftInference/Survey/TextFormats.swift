import Graft
import GraftExport

/// The forms that all strings of a place have.
struct TextFormats: OptionSet, Hashable {
  let rawValue: UInt64

  static let integer = TextFormats(rawValue: 1 << 0)
  static let uuid = TextFormats(rawValue: 1 << 1)
  /// A UUID in capitals, as an export writes it.
  static let capitalUUID = TextFormats(rawValue: 1 << 2)
  static let address = TextFormats(rawValue: 1 << 3)
  static let mailAddress = TextFormats(rawValue: 1 << 4)
  static let color = TextFormats(rawValue: 1 << 5)
  static let decimal = TextFormats(rawValue: 1 << 6)
  static let boolean = TextFormats(rawValue: 1 << 7)
  /// A date in a form that is read without a pattern.
  static let date = TextFormats(rawValue: 1 << 8)
  /// A date that an export writes in the same way without a pattern.
  static let isoDate = TextFormats(rawValue: 1 << 9)
  /// A date in a form that is read without a pattern, though an export may write fewer digits of its fraction.
  static let anyDate = TextFormats(rawValue: 1 << 10)
  /// The first of the ``datePatterns``; the others follow.
  private static let firstPattern = 11

  static let everything = TextFormats(
    rawValue: 1 << UInt64(firstPattern + datePatterns.count) - 1)
  private static let dates = TextFormats(
    rawValue: everything.rawValue & ~(1 << 8 - 1))

  /// The patterns to try.
  ///
  /// A pattern counts only if it writes each date as it was read.
  static let datePatterns: [DatePattern] = [
    "yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm:ss'Z'", "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'",
    "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd HH:mm",
    "EEE MMM dd HH:mm:ss Z yyyy", "EEE, dd MMM yyyy HH:mm:ss Z",
    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "yyyy/MM/dd", "yyyy-MM-dd'T'HH:mm:ss.SSS",
    "yyyy-MM-dd'T'HH:mm:ss+00:00", "yyyy-MM-dd'T'HH:mm'Z'", "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'",
    "yyyy-MM-dd'T'HH:mm:ss.SSSSSS", "yyyy-MM-dd'T'HH:mm:ss.S'Z'", "yyyy-MM-dd HH:mm:ss 'UTC'",
    "yyyy-MM-dd'T'HH:mm:ss.SSS+00:00", "yyyy-MM-dd'T'HH:mm:ss.SSS+0000",
    "yyyy-MM-dd'T'HH:mm:ss.SSSSSS+00:00", "yyyy-MM-dd'T'HH:mm:ss.SS'Z'",
    "yyyy-MM-dd HH:mm:ss.SSS", "yyyy-MM-dd HH:mm:ss.SSSSSS", "yyyyMMdd'T'HHmmss",
    "yyyyMMdd'T'HHmmss'Z'",
  ].map { DatePattern($0) }

  /// The patterns of dates that are read by no automatic form.
  private static let otherPatterns = datePatterns.indices.filter {
    datePatterns[$0].text == "yyyy/MM/dd" || datePatterns[$0].text.hasPrefix("yyyyMM")
  }

  /// The number of bytes of the dates in each pattern, which is the same for all dates.
  private static let dateLengths = datePatterns.map { $0.string(from: 0).utf8.count }

  /// The pattern that reads all strings and writes them again; nil for none.
  var datePattern: DatePattern? {
    for (index, pattern) in Self.datePatterns.enumerated()
    where contains(Self.form(ofPattern: index)) {
      return pattern
    }
    return nil
  }

  private static func form(ofPattern index: Int) -> TextFormats {
    TextFormats(rawValue: 1 << UInt64(firstPattern + index))
  }

  /// Keeps the forms that one more string has too.
  @inline(__always)
  mutating func narrow(to text: BorrowedBuffer<UInt8>) {
    if !isEmpty { narrowSlowly(to: text) }
  }

  @inline(never)
  private mutating func narrowSlowly(to text: BorrowedBuffer<UInt8>) {
    guard text.count > 0, text.count <= 4096 else {
      self = []
      return
    }
    if contains(.integer), !Self.isInteger(text) { remove(.integer) }
    // An integer is a decimal too.
    if contains(.decimal), !contains(.integer), !text.withSpan({ NumberScan($0) != nil }) {
      remove(.decimal)
    }
    if contains(.boolean), !["true", "false"].contains(where: { text.elementsEqual($0.utf8) }) {
      remove(.boolean)
    }
    if contains(.uuid) {
      if !Self.isUUID(text) { subtract([.uuid, .capitalUUID]) }
      if text.contains(where: { 0x61...0x66 ~= $0 }) { remove(.capitalUUID) }
    }
    if contains(.address), !Self.isAddress(text) { remove(.address) }
    if contains(.mailAddress), !Self.isMailAddress(text) { remove(.mailAddress) }
    if contains(.color), !Self.isColor(text) { remove(.color) }
    if !isDisjoint(with: Self.dates) { narrowDates(to: text) }
  }

  private mutating func narrowDates(to text: BorrowedBuffer<UInt8>) {
    let isNumber =
      text.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2E || $0 == 0x2D }
      && !text.dropFirst().contains(0x2D)
    guard text.count >= 8, text.count <= 40, !isNumber,
      let date = text.withSpan(DateText.parseAutomatic)
    else {
      let fitting = Self.otherPatterns.map { (Self.form(ofPattern: $0), Self.datePatterns[$0]) }
        .filter { contains($0.0) && Self.reproduces(text, $0.1) }
      subtract(Self.dates)
      for (form, _) in fitting { insert(form) }
      return
    }
    // An export writes milliseconds, so a date with more digits stays a string.
    if Self.fractionDigits(of: text) > 3 { remove(.date) }
    if contains(.isoDate) {
      var output = ByteBuffer()
      DateText.appendISO8601(date, to: &output)
      if !output.withSpan({ Self.equal($0, text) }) { remove(.isoDate) }
    }
    for (index, pattern) in Self.datePatterns.enumerated() {
      let form = Self.form(ofPattern: index)
      guard contains(form) else { continue }
      if Self.dateLengths[index] != text.count || !Self.reproduces(text, pattern) { remove(form) }
    }
  }

  private static func fractionDigits(of text: BorrowedBuffer<UInt8>) -> Int {
    guard let point = text.firstIndex(of: 0x2E) else { return 0 }
    return text[(point + 1)...].prefix { 0x30...0x39 ~= $0 }.count
  }

  private static func reproduces(_ text: BorrowedBuffer<UInt8>, _ pattern: DatePattern) -> Bool {
    guard let date = text.withSpan({ pattern.parse($0) }),
      DateText.fourDigitYears.contains(date)
    else { return false }
    var output = ByteBuffer()
    pattern.append(date, to: &output)
    return output.withSpan { equal($0, text) }
  }

  private static func equal(_ bytes: Span<UInt8>, _ text: BorrowedBuffer<UInt8>) -> Bool {
    guard bytes.count == text.count else { return false }
    for index in bytes.indices where bytes[index] != text[index] { return false }
    return true
  }

  /// Returns whether a string is an integer of 64 bits that is written again as it was.
  static func isInteger(_ text: BorrowedBuffer<UInt8>) -> Bool {
    let digits = text.first == 0x2D ? text.dropFirst() : text[...]
    guard let first = digits.first, digits.allSatisfy({ 0x30...0x39 ~= $0 }),
      first != 0x30 || text.count == 1
    else { return false }
    // 18 digits always fit.
    return digits.count <= 18 || text.withSpan(IntegerText.parse) != nil
  }

  private static func isUUID(_ text: BorrowedBuffer<UInt8>) -> Bool {
    guard text.count == 36 else { return false }
    var bytes = [UInt8](repeating: 0, count: 16)
    return text.withSpan { text in
      var room = bytes.mutableSpan
      return UUIDText.parse(text, into: &room)
    }
  }

  /// Returns whether a string is an address of the characters of RFC 3986, as every parser accepts: `https://a.org/x`, and
  /// `ipfs://QmXt` likewise.
  private static func isAddress(_ text: BorrowedBuffer<UInt8>) -> Bool {
    let scheme = text.prefix { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 }
    guard scheme.count > 1, scheme.first.map({ 0x61...0x7A ~= $0 }) == true,
      text.dropFirst(scheme.count).starts(with: "://".utf8), text.count > scheme.count + 3
    else { return false }
    var index = scheme.count + 3
    let first = text[index]
    guard 0x30...0x39 ~= first || 0x61...0x7A ~= first | 0x20 else { return false }
    var (isInPath, isInFragment) = (false, false)
    while index < text.count {
      switch text[index] {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E: break
      case 0x2F: isInPath = true
      case 0x5F, 0x7E, 0x2B, 0x2C, 0x3D, 0x26, 0x3F, 0x3B, 0x21, 0x2A, 0x28, 0x29, 0x40:
        if !isInPath { return false }
      case 0x3A where !isInPath:
        let port = text.dropFirst(index + 1).prefix { 0x30...0x39 ~= $0 }
        index += port.count
        guard 1...5 ~= port.count, index + 1 == text.count || text[index + 1] == 0x2F else {
          return false
        }
      case 0x3A: break
      case 0x23:
        guard isInPath, !isInFragment else { return false }
        isInFragment = true
      case 0x25:
        guard isInPath, index + 2 < text.count, isHexDigit(text[index + 1]),
          isHexDigit(text[index + 2])
        else { return false }
      default: return false
      }
      index += 1
    }
    return true
  }

  private static func isMailAddress(_ text: BorrowedBuffer<UInt8>) -> Bool {
    let parts = text.split(separator: 0x40, omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].count > 2 && parts[1].contains(0x2E)
      && !text.contains { $0 <= 0x20 }
  }

  private static func isColor(_ text: BorrowedBuffer<UInt8>) -> Bool {
    let digits = text.first == 0x23 ? text.dropFirst() : text[...]
    return (digits.count == 6 || digits.count == 3 && text.first == 0x23)
      && digits.allSatisfy(isHexDigit)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
  }
}
