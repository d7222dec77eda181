import Foundation

/// Finds bytes that are no UTF-8.
enum UTF8Fault {
  /// Where the first such byte stands; nil where all of the text is well-formed.
  static func position(in data: Data) -> TextPosition? {
    guard String(bytes: data, encoding: .utf8) == nil else { return nil }
    var decoder = UTF8()
    var bytes = data.makeIterator()
    var line = 1
    var column = 1
    while case .scalarValue(let scalar) = decoder.decode(&bytes) {
      column += UTF8.width(scalar)
      guard scalar == "\n" else { continue }
      line += 1
      column = 1
    }
    return TextPosition(line: line, column: column)
  }
}
