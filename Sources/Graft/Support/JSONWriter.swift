// All JSON that Graft writes goes through this writer: exports, the canonical form, and values that
// attributes keep as JSON.
//
// YAJL's generator is not used. It needs a call for each token, keys included, and escapes byte by
// byte into a buffer that has to be copied out. Its only numbers are `long long` and `double`. In
// plain C it writes tweets at some 200 MB/s. This writer takes keys that were quoted once, escapes
// eight bytes at a time, and copies the digits that the store keeps.

/// Writes JSON into a buffer, with the commas, line breaks and spaces that a style asks for.
///
/// Values follow one another, each member of an object after its key:
///
/// ```swift
/// var json = JSONWriter()
/// json.beginObject()
/// json.key("id")
/// json.integer(7)
/// json.key("tags")
/// json.beginArray()
/// json.string("new")
/// json.endArray()
/// json.endObject()
/// json.text // {"id":7,"tags":["new"]}
/// ```
///
/// The caller must close containers in order, and give members keys.
package struct JSONWriter: ~Copyable {
  /// The white space between values.
  package struct Style {
    /// The number of outer levels whose members are on lines of their own; deeper containers are on
    /// one line.
    var lineLevels: Int
    /// Whether a space follows each colon, and each comma that is not followed by a line break.
    @usableFromInline package var isSpaced: Bool

    /// No white space: `{"a":[1,2]}`.
    package static let compact = Style(lineLevels: 0, isSpaced: false)
    /// Returns a style with each member of the outermost containers on a line of its own, which makes for short
    /// differences between texts.
    package static func lines(levels: Int) -> Style { Style(lineLevels: levels, isSpaced: true) }
  }

  /// The kind of the last thing written, which decides the separator before the next value.
  @usableFromInline package enum Last: UInt8 {
    /// Nothing, the end of a line, or a key: the next value needs no separator.
    case keyOrNothing
    case openingBracket
    case value
  }

  /// The text written so far, or since it was handed over.
  package var buffer: ByteBuffer
  @usableFromInline package let style: Style
  @usableFromInline package var last = Last.keyOrNothing
  /// The number of open containers.
  package var level = 0

  /// Creates a writer.
  package init(style: Style = .compact, capacity: Int = 128) {
    self.style = style
    buffer = ByteBuffer(capacity: capacity)
  }

  /// The text written so far.
  package var text: String { buffer.string }

  // MARK: Structure

  /// Writes the separator between a value or key and the one before it.
  @inlinable @inline(__always)
  mutating func separate() {
    switch last {
    case .keyOrNothing: return
    case .value: buffer.append(0x2C)
    case .openingBracket: break
    }
    if style.isSpaced { separateWithSpace() }
  }

  @inline(never)
  @usableFromInline mutating func separateWithSpace() {
    if level > 0, level <= style.lineLevels {
      breakLine(level: level)
    } else if last == .value {
      buffer.append(0x20)
    }
  }

  private mutating func breakLine(level: Int) {
    buffer.append(0x0A)
    for _ in 0..<level { buffer.append("  ") }
  }

  @inlinable @inline(__always)
  mutating func beginValue() {
    separate()
    last = .value
  }

  // The functions for structure are not inlined: inlined, they made up most of the code of every caller.

  @inline(never)
  private mutating func begin(_ bracket: UInt8) {
    separate()
    buffer.append(bracket)
    last = .openingBracket
    level &+= 1
  }

  @inline(never)
  private mutating func end(_ bracket: UInt8) {
    level &-= 1
    if style.isSpaced, last == .value, level < style.lineLevels { breakLine(level: level) }
    buffer.append(bracket)
    last = .value
  }

  /// Opens an object.
  package mutating func beginObject() { begin(0x7B) }
  /// Closes an object.
  package mutating func endObject() { end(0x7D) }
  /// Opens an array.
  package mutating func beginArray() { begin(0x5B) }
  /// Closes an array.
  package mutating func endArray() { end(0x5D) }

  /// Writes a key and its colon.
  @inline(never)
  package mutating func key(_ name: String) {
    name.withUTF8Span { key($0) }
  }

  /// Writes a key and its colon.
  ///
  /// - Parameter name: The key in valid UTF-8, without quotes or escapes.
  @inline(never)
  package mutating func key(_ name: Span<UInt8>) {
    separate()
    buffer.append(quoted: name)
    endKey()
  }

  /// Writes a key that is in quotes already, and its colon.
  @inlinable @inline(__always)
  package mutating func key(quoted name: Span<UInt8>) {
    separate()
    buffer.append(name)
    endKey()
  }

  @inlinable @inline(__always)
  mutating func endKey() {
    buffer.append(0x3A)
    if style.isSpaced { buffer.append(0x20) }
    last = .keyOrNothing
  }

  // MARK: Values

  /// Writes `null`.
  @inline(never)
  package mutating func null() {
    beginValue()
    buffer.append("null")
  }

  /// Writes `true` or `false`.
  @inline(__always)
  package mutating func boolean(_ value: Bool) {
    beginValue()
    buffer.append(value ? "true" : "false")
  }

  /// Writes an integer.
  @inline(__always)
  package mutating func integer(_ value: Int64) {
    beginValue()
    buffer.append(integer: value)
  }

  /// Writes a number by its shortest exact text, such as `3` or `0.1`; `null` for infinity and NaN,
  /// for which JSON has no number.
  package mutating func number(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
    guard value.isFinite else { return null() }
    beginValue()
    buffer.append(shortest: value)
  }

  /// Writes a string.
  @inline(never)
  package mutating func string(_ value: String) {
    value.withUTF8Span { string($0) }
  }

  /// Writes a string.
  ///
  /// - Parameter value: Valid UTF-8, without quotes or escapes.
  @inlinable @inline(__always)
  package mutating func string(_ value: Span<UInt8>) {
    beginValue()
    buffer.append(quoted: value)
  }

  /// Writes a string that needs no escapes, such as a date.
  ///
  /// - Parameter append: Appends the string without its quotes.
  @inlinable @inline(__always)
  package mutating func string(_ append: (inout ByteBuffer) -> Void) {
    beginValue()
    buffer.append(0x22)
    append(&buffer)
    buffer.append(0x22)
  }

  /// Writes a value that is JSON already, such as the digits of a number.
  @inline(__always)
  package mutating func literal(_ json: Span<UInt8>) {
    beginValue()
    buffer.append(json)
  }

  /// Writes a value that is JSON already.
  @inline(never)
  package mutating func literal(_ json: String) {
    json.withUTF8Span { literal($0) }
  }

  /// Returns a string as JSON, with its quotes.
  package static func quoted(_ value: String) -> [UInt8] {
    var json = JSONWriter()
    json.string(value)
    return json.buffer.array()
  }

  /// The number of bytes that are handed over at once.
  package static let chunkSize = 65_536

  /// Removes all of the text, and forgets the open containers.
  mutating func reset() {
    buffer.removeAll(keepingAtMost: Self.chunkSize)
    last = .keyOrNothing
    level = 0
  }
}
