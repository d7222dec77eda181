import Graft

/// Rows as they were read, one after the other.
///
/// It takes 9 bytes for a value besides its own, and a ``RowBuffer`` 24.
struct RowLog {
  private enum Kind: UInt8 {
    case null
    case word
    case bytes
  }

  /// An object, and where the values of its row begin.
  private struct Entry {
    var object: ObjectID
    var firstValue: Int
    var firstByte: Int
  }

  private var entries: [Entry] = []
  private var kinds: [Kind] = []
  /// By value, the word or the number of bytes.
  private var words: [UInt64] = []
  private var bytes: [UInt8] = []

  /// The number of rows.
  var count: Int { entries.count }

  /// Adds the row of an object.
  mutating func append(_ row: borrowing RowBuffer, of object: ObjectID) {
    entries.append(Entry(object: object, firstValue: kinds.count, firstByte: bytes.count))
    for cell in row.cells {
      let (kind, word): (Kind, UInt64) =
        switch cell {
        case .null: (.null, 0)
        case .word(let word): (.word, word)
        case .bytes(_, let count): (.bytes, UInt64(count))
        }
      kinds.append(kind)
      words.append(word)
    }
    bytes += row.bytes
  }

  /// Forgets all rows, and keeps the memory.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Returns the object of a row, by the row's number.
  func object(_ number: Int) -> ObjectID { entries[number].object }

  /// Copies a row, by its number, into a buffer.
  func copy(_ number: Int, to row: inout RowBuffer) {
    let isLast = number + 1 == entries.count
    let end = isLast ? kinds.count : entries[number + 1].firstValue
    let lastByte = isLast ? bytes.count : entries[number + 1].firstByte
    row.removeAll()
    var start = 0
    for index in entries[number].firstValue..<end {
      switch kinds[index] {
      case .null: row.appendNull()
      case .word: row.append(word: words[index])
      case .bytes:
        row.cells.append(.bytes(start: start, count: Int(words[index])))
        start += Int(words[index])
      }
    }
    row.bytes += bytes[entries[number].firstByte..<lastByte]
  }
}
