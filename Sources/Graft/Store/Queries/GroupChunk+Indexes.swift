extension GroupChunk {
  /// The chunk's run of an index, made by whoever comes first while the others wait for it.
  func index(_ column: IndexColumn) -> ChunkIndex {
    indexes.withLock { indexes in
      if let index = indexes[column.attribute] { return index }
      let index = ChunkIndex(self, column)
      indexes[column.attribute] = index
      return index
    }
  }

  /// The live rows that have no value of an attribute, in order of insertion.
  func rowsWithout(_ column: IndexColumn) -> ContiguousArray<UInt16> {
    var rows: ContiguousArray<UInt16> = []
    forEachRow(column) { live, valid in
      live & ~valid
    } _: { _, _, number in
      rows.append(number)
    }
    return rows
  }

  /// Visits rows in order of insertion, chosen 64 at a time by who is alive and who has a value.
  func forEachRow(
    _ column: IndexColumn, choose: (_ live: UInt64, _ valid: UInt64) -> UInt64,
    _ visit: (_ group: GroupPointer, _ row: Int, _ number: UInt16) -> Void
  ) {
    let validity = column.shape.attributes[column.attribute].validity
    for (number, element) in groups.enumerated() {
      let live = element.pointer.words(at: TableShape.liveBits)
      let valid = element.pointer.words(at: validity)
      for word in 0..<column.shape.wordCount {
        var chosen = choose(live[word], valid[word])
        while chosen != 0 {
          let row = word << 6 + chosen.trailingZeroBitCount
          chosen &= chosen - 1
          visit(
            element.pointer, row, UInt16(truncatingIfNeeded: number << column.shape.shift + row))
        }
      }
    }
  }
}
