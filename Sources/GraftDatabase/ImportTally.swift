// A report counts objects, and an object may be mentioned in many saves: inserted by the first,
// updated by the third. After a save the import no longer has its objects in memory. So each save
// records a mark for each object that it mentions: a hash of its key, and its outcome. Marks of one
// object are alike in their hash; at the end the highest outcome of each is counted.
//
// An import by itself cannot have mentioned an object before that it now inserts. So most first imports end without a
// second look at the marks.
//
// Marks are kept in memory up to a limit, and beyond it in a temporary file. The file is
// partitioned by the first byte of the hash; at the end one partition at a time is read. The
// probability that two of a billion objects have the same 64 bits, and are counted as one, is 3 %.

import Foundation
import Graft

/// Counts each object of an import once, however many saves mention it.
struct ImportTally {
  private struct Mark {
    var hash: UInt64
    var entity: UInt32
    var outcome: ObjectOutcomes.Outcome

    var part: Int { Int(hash >> 56) }
  }

  /// The most marks in memory: 4 MiB, and fewer in tests.
  @TaskLocal static var limit = 1 << 18

  private let layout: StoreLayout
  private let tables: [Int]
  private var marks: [Mark] = []
  private var file: MarkFile?
  /// Whether an object may have been mentioned in two saves.
  private var hasRepeats = false

  /// - Parameters:
  ///   - layout: The layout of the batches' graphs.
  ///   - schema: The tables of the database.
  init(_ layout: StoreLayout, _ schema: DatabaseSchema) {
    self.layout = layout
    tables = schema.tableNumbers
  }

  /// Whether no save has been noted.
  var isEmpty: Bool { marks.isEmpty && file == nil }

  /// Adds a mark for each object that a save mentions.
  ///
  /// - Parameters:
  ///   - fetched: The rows of the batch's objects.
  ///   - graph: The objects of the batch.
  ///   - outcomes: The outcomes of the objects.
  /// - Throws: ``Graft/StoreError`` where the temporary file cannot be written.
  mutating func add(
    _ fetched: FetchedObjects, _ graph: Graph, _ outcomes: ObjectOutcomes
  ) throws(StoreError) {
    let isFirst = isEmpty
    for entity in graph.schema.entities.indices {
      let identity = graph.schema.entities[entity].identity
      for id in graph.rows(entity) {
        let outcome: ObjectOutcomes.Outcome = outcomes[id]
        guard outcome != .unmentioned else { continue }
        if !isFirst, !hasRepeats { hasRepeats = fetched.state(of: id).contains(.stored) }
        let hash = markHash(of: id, identity, graph, fetched)
        marks.append(
          Mark(hash: hash, entity: UInt32(entity), outcome: outcome))
      }
      if marks.count >= Self.limit { try spill() }
    }
  }

  private func markHash(
    of id: ObjectID, _ identity: [Int], _ graph: Graph, _ fetched: FetchedObjects
  ) -> UInt64 {
    let table = UInt64(tables[id.entity] + 1) &* 0x9E37_79B9_7F4A_7C15
    if let number = fetched.number(of: id) {
      return table &+ UInt64(bitPattern: number) &* 0xD6E8_FEB8_6659_FD93
    }
    let hash = graph.withValues(identity, of: id) { layout.wideHash($0, of: id.entity) }
    return table ^ (hash ?? 0)
  }

  private mutating func spill() throws(StoreError) {
    if file == nil { file = try MarkFile() }
    for (part, marks) in Dictionary(grouping: marks, by: \.part) {
      try file?.append(unsafe marks.withUnsafeBytes { unsafe Data($0) }, to: part)
    }
    marks.removeAll(keepingCapacity: true)
  }

  /// Counts each object once, by its highest outcome.
  ///
  /// - Parameter outcomes: Counts an object for each save that has mentioned it.
  /// - Throws: ``Graft/StoreError`` where the temporary file cannot be read.
  func settle(_ outcomes: ObjectOutcomes) throws(StoreError) {
    guard hasRepeats else { return }
    for part in 0..<(file == nil ? 1 : 256) {
      var marks = self.marks
      if let file {
        marks = marks.filter { $0.part == part }
        for data in try file.read(part) {
          marks += unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Mark.self)) }
        }
      }
      marks.sort { $0.hash < $1.hash }
      var start = 0
      while start < marks.count {
        let end = marks[start...].firstIndex { $0.hash != marks[start].hash } ?? marks.count
        if end - start > 1 { settle(marks[start..<end], outcomes) }
        start = end
      }
    }
  }

  private func settle(_ marks: ArraySlice<Mark>, _ outcomes: ObjectOutcomes) {
    for mark in marks { outcomes.count(mark.outcome, Int(mark.entity), by: -1) }
    // A stub of an entity may have become an object of one below it.
    let entity = marks.map(\.entity).max() ?? 0
    outcomes.count(marks.map(\.outcome).max() ?? .unchanged, Int(entity), by: 1)
  }
}

/// Marks in a temporary file, which has no name and so goes with its handle.
private struct MarkFile {
  private let handle: FileHandle
  private var size: UInt64 = 0
  /// The blocks of bytes of each part.
  private var blocks: [[(offset: UInt64, count: Int)]] = Array(repeating: [], count: 256)

  init() throws(StoreError) {
    let url = FileManager.default.temporaryDirectory.appending(path: "graft-\(UUID().uuidString)")
    do {
      try Data().write(to: url)
      handle = try FileHandle(forUpdating: url)
      try FileManager.default.removeItem(at: url)
    } catch {
      throw Self.failure(error)
    }
  }

  mutating func append(_ data: Data, to part: Int) throws(StoreError) {
    do {
      try handle.seek(toOffset: size)
      try handle.write(contentsOf: data)
    } catch {
      throw Self.failure(error)
    }
    blocks[part].append((size, data.count))
    size += UInt64(data.count)
  }

  func read(_ part: Int) throws(StoreError) -> [Data] {
    var result: [Data] = []
    for block in blocks[part] {
      do {
        try handle.seek(toOffset: block.offset)
        if let data = try handle.read(upToCount: block.count) { result.append(data) }
      } catch {
        throw Self.failure(error)
      }
    }
    return result
  }

  private static func failure(_ error: any Error) -> StoreError {
    StoreError(
      .database,
      "cannot count objects in a temporary file (\(error)); make room in"
        + " \(FileManager.default.temporaryDirectory.path)")
  }
}
