import Foundation

/// The bytes of an XML document, and where in it something is.
///
/// `XMLParser` gives a line and a column only, and of a tag it gives the end. Errors are reported at
/// the beginning of a tag, which is found by going back to the nearest `<`: inside a tag there can
/// be none.
struct XMLText {
  private let bytes: [UInt8]
  /// The offset at which each line begins.
  private let lineStarts: [Int]

  init(_ data: Data) {
    bytes = Array(data)
    var starts = [0]
    for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(offset + 1)
    }
    lineStarts = starts
  }

  /// The place at a line and a column, both counted from 1 and the column in bytes.
  func location(line: Int, column: Int) -> SourceLocation {
    let (line, column) = (max(1, line), max(1, column))
    let start = line <= lineStarts.count ? lineStarts[line - 1] : bytes.count
    let offset = min(start + column - 1, bytes.count)
    return SourceLocation(offset: offset, line: line, column: column)
  }

  /// The place where the tag begins that ends at a line and a column.
  func startOfTag(endingAtLine line: Int, column: Int) -> SourceLocation {
    let end = location(line: line, column: column)
    guard line <= lineStarts.count, !bytes.isEmpty else { return end }
    var offset = min(end.offset, bytes.count - 1)
    while offset > 0, bytes[offset] != UInt8(ascii: "<") { offset -= 1 }
    var row = end.line - 1
    while row > 0, lineStarts[row] > offset { row -= 1 }
    return SourceLocation(offset: offset, line: row + 1, column: offset - lineStarts[row] + 1)
  }

  /// The place of the first byte that is not UTF-8; nil if all are.
  var malformedCharacter: SourceLocation? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var decoder = UTF8()
    var rest = bytes.makeIterator()
    var offset = 0
    while case .scalarValue(let scalar) = decoder.decode(&rest) { offset += UTF8.width(scalar) }
    let row = lineStarts.lastIndex { $0 <= offset } ?? 0
    return SourceLocation(offset: offset, line: row + 1, column: offset - lineStarts[row] + 1)
  }
}
