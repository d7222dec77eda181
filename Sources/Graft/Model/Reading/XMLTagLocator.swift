// XMLParser tells where a start tag ends. Where it begins is more use to a reader, and is found by
// going back to the nearest "<", which cannot stand inside a tag.

import Foundation

/// Finds where in a text a tag begins.
struct XMLTagLocator {
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

  /// The line and column, counted from 1 and in bytes, of the tag that ends at a place.
  func start(ofTagEndingAt line: Int, _ column: Int) -> TextPosition {
    guard lineStarts.indices.contains(line - 1) else {
      return TextPosition(line: max(1, line), column: max(1, column))
    }
    var row = line - 1
    var offset = min(lineStarts[row] + max(0, column - 1), bytes.count - 1)
    while offset > 0, bytes[offset] != UInt8(ascii: "<") { offset -= 1 }
    while row > 0, lineStarts[row] > offset { row -= 1 }
    return TextPosition(line: row + 1, column: offset - lineStarts[row] + 1)
  }
}
