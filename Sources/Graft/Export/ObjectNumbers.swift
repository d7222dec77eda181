/// The numbers of an entity's objects, counted from 1 in order of insertion.
struct ObjectNumbers {
  /// By row; empty if no object was ever deleted, when the row tells the number.
  private var numbers: [Int32] = []

  init(entity: Int, graph: Graph) {
    let rowCount = graph.storage.tables[entity].rowCount
    guard graph.liveCount(entity) < rowCount else { return }
    numbers = [Int32](repeating: 0, count: rowCount)
    for (index, id) in graph.rows(entity).enumerated() {
      numbers[id.row] = Int32(truncatingIfNeeded: index + 1)
    }
  }

  subscript(row: Int) -> Int64 {
    numbers.isEmpty ? Int64(row) + 1 : Int64(numbers[row])
  }
}
