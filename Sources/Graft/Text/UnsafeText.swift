// Raw memory: importer, exporter and columns still hold the bytes of a value by pointer. These
// overloads make a span of it for the duration of one call; whoever calls them keeps the memory
// alive for that long, as for any buffer pointer. Nothing else is done here.

extension IntegerText {
  @inline(__always)
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Int64? { parse(text.span) }
}

extension FloatText {
  @inline(__always)
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Double? { parse(text.span) }

  @inline(__always)
  static func parseSingle(_ text: UnsafeBufferPointer<UInt8>) -> Float? { parseSingle(text.span) }
}

extension NumberScan {
  @inline(__always)
  init?(_ text: UnsafeBufferPointer<UInt8>) { self.init(text.span) }
}

extension DecimalText {
  @inline(__always)
  init?(_ text: UnsafeBufferPointer<UInt8>) { self.init(text.span) }

  @inline(__always)
  static func isIncreasing(
    from old: UnsafeBufferPointer<UInt8>, to new: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    isIncreasing(from: old.span, to: new.span)
  }
}

extension BooleanText {
  @inline(__always)
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Bool? { parse(text.span) }
}

extension ColorText {
  @inline(__always)
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? { parse(text.span) }
}

extension UUIDText {
  /// - Precondition: There is room for 16 bytes.
  @inline(__always)
  static func parse(
    _ text: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    var room = UnsafeMutableBufferPointer(start: bytes, count: 16).mutableSpan
    return parse(text.span, into: &room)
  }
}

extension UUIDText {
  @inline(__always)
  static func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout ByteBuffer) {
    append(bytes.span, to: &output)
  }
}

extension Base64Text {
  @inline(__always)
  static func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout ByteBuffer) {
    append(bytes.span, to: &output)
  }
}

extension DateText {
  @inline(__always)
  static func parseAutomatic(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    parseAutomatic(text.span)
  }

  @inline(__always)
  static func parseISO8601(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    parseISO8601(text.span)
  }

  @inline(__always)
  static func parseSeconds(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    parseSeconds(text.span)
  }

  @inline(__always)
  static func parseMilliseconds(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    parseMilliseconds(text.span)
  }
}

extension DatePattern {
  @inline(__always)
  func parse(_ text: UnsafeBufferPointer<UInt8>) -> Double? { parse(text.span) }
}

extension String {
  /// Creates a string from the bytes of a text.
  init(_ text: Span<UInt8>) {
    self = text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
