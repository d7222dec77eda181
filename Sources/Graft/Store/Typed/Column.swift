// A column's cells are contiguous within a row group. A run of rows that all have a value is read
// as memory; the bitmaps say where it ends. Inlinable, so that a sum is a loop over memory: called
// value by value it was measured five times as slow.
//
// Raw memory. Invariants: the column keeps its graph, which keeps the memory of every run, and published groups
// are never written. The cells are values of `Element`, which is checked before a column is made.

/// A type whose values a column keeps as they are in memory.
///
/// `Int`, `Int64`, `Double` and `Bool` conform to it. Do not conform other types: their values are
/// kept in another form, and making a column of them is a programming error.
@_documentation(visibility: internal)
public protocol ColumnElement: AttributeConvertible, BitwiseCopyable {}

extension Int: ColumnElement {}
extension Int64: ColumnElement {}
extension Double: ColumnElement {}
extension Bool: ColumnElement {}

/// The values of one attribute of an entity's objects, read as contiguous memory.
///
/// ```swift
/// let retweets = store.graph.objects(Tweet.self).column(\.retweets)
/// let sum = retweets.reduce(0, +)
/// ```
///
/// The values are in order of entity and insertion. Objects without a value are skipped.
public struct Column<Element: ColumnElement>: Sendable, Sequence {
  let graph: Graph
  let entities: [Int]
  let attribute: Int

  /// Returns an iterator over the values.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> Iterator { Iterator(runs: ColumnRuns(self)) }

  /// The number of values.
  ///
  /// - Complexity: O(*n*) in the number of objects, 64 at a time.
  public var count: Int {
    var runs = ColumnRuns(self)
    var count = 0
    while let run = runs.next() { count += run.count }
    return count
  }

  /// An iterator over the values of a column.
  @safe public struct Iterator: IteratorProtocol {
    // The position in the current run.
    @safe @usableFromInline var cursor: UnsafePointer<Element>?
    @usableFromInline var remaining = 0
    private var runs: ColumnRuns<Element>

    init(runs: ColumnRuns<Element>) {
      self.runs = runs
    }

    /// Advances to the next value.
    ///
    /// - Returns: The value; nil after the last.
    @inlinable public mutating func next() -> Element? {
      if remaining == 0, !advance() { return nil }
      guard let address = cursor else { return nil }
      remaining -= 1
      cursor = unsafe address + 1
      return unsafe address.pointee
    }

    @usableFromInline mutating func advance() -> Bool {
      guard let run = runs.next() else { return false }
      unsafe cursor = run.isEmpty ? nil : run.address(of: 0)
      remaining = run.count
      return true
    }
  }
}

/// The runs of a column: contiguous rows that all have a value.
struct ColumnRuns<Element: ColumnElement> {
  private let column: Column<Element>
  private var entity = 0
  private var group = 0
  private var row = 0

  init(_ column: Column<Element>) {
    self.column = column
    column.graph.expectRead(column.attribute, ofAll: column.entities)
  }

  mutating func next() -> BorrowedBuffer<Element>? {
    let storage = column.graph.storage
    while entity < column.entities.count {
      let number = column.entities[entity]
      let shape = storage.layout.shapes[number]
      let groupCount = (storage.tables[number].rowCount + shape.mask) >> shape.shift
      while group < groupCount {
        let pointer = storage.tables[number].group(group)
        let attribute = shape.attributes[column.attribute]
        if let run = pointer.run(from: row, attribute, shape) {
          row = run.upperBound
          return unsafe BorrowedBuffer(
            start: pointer.cells(at: attribute.cells) + run.lowerBound, count: run.count)
        }
        group += 1
        row = 0
      }
      entity += 1
      group = 0
    }
    return nil
  }
}

extension GroupPointer {
  /// Returns the next contiguous rows that are live and have a value of an attribute.
  fileprivate func run(
    from row: Int, _ attribute: AttributeColumn, _ shape: TableShape
  ) -> Range<Int>? {
    func rows(_ word: Int) -> UInt64 {
      bits(word, at: TableShape.liveBits) & bits(word, at: attribute.validity)
    }
    let start = boundary(from: row, shape) { rows($0) }
    guard start < shape.capacity else { return nil }
    return start..<boundary(from: start, shape) { ~rows($0) }
  }

  /// Returns the first row, at or after another, whose bit is set.
  private func boundary(from row: Int, _ shape: TableShape, _ word: (Int) -> UInt64) -> Int {
    var index = row >> 6
    guard index < shape.wordCount else { return shape.capacity }
    var bits = word(index) & (~0 << UInt64(row & 63))
    while bits == 0 {
      index += 1
      guard index < shape.wordCount else { return shape.capacity }
      bits = word(index)
    }
    return index << 6 + bits.trailingZeroBitCount
  }
}

extension Objects {
  /// Returns the values of an attribute, to compute with all of them at once.
  ///
  /// - Parameter attribute: The attribute's key path.
  /// - Returns: The values, those of objects that have one.
  /// - Precondition: `Element` is `Int`, `Int64`, `Double` or `Bool`.
  /// - Complexity: O(1).
  public func column<Element: ColumnElement>(
    _ attribute: KeyPath<E, Attribute<Element>>
  ) -> Column<Element> {
    column(type.prototype[keyPath: attribute].core.number)
  }

  /// Returns the values of an attribute that may lack one, to compute with all of them at once.
  ///
  /// - Parameter attribute: The attribute's key path.
  /// - Returns: The values, those of objects that have one.
  /// - Precondition: `Element` is `Int`, `Int64`, `Double` or `Bool`.
  /// - Complexity: O(1).
  public func column<Element: ColumnElement>(
    _ attribute: KeyPath<E, Attribute<Element?>>
  ) -> Column<Element> {
    column(type.prototype[keyPath: attribute].core.number)
  }

  private func column<Element>(_ number: Int) -> Column<Element> {
    for entity in base.entities.prefix(1).map({ base.graph.schema.entities[$0] }) {
      let attribute = entity.attributes[number]
      guard attribute.type.isKept(as: Element.self) else {
        misuse(
          "\(entity.name).\(attribute.name) is kept as \(attribute.type.rawValue), which is not read "
            + "as \(Element.self) from memory; a column is of Int, Int64, Double or Bool, so map the "
            + "objects instead")
      }
    }
    return Column(graph: base.graph, entities: base.entities, attribute: number)
  }
}

extension AttributeType {
  /// Returns whether the bytes of a cell of this type are a value of a Swift type.
  fileprivate func isKept<Element>(as element: Element.Type) -> Bool {
    guard MemoryLayout<Element>.stride == CellKind(self).byteCount else { return false }
    return switch self {
    case .integer16, .integer32, .integer64: element == Int.self || element == Int64.self
    case .double, .float: element == Double.self
    case .boolean: element == Bool.self
    default: false
    }
  }
}
