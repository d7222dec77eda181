@testable import Graft

/// Rows of the sample's users and tweets, in dictionaries.
final class SampleRows: RowSource {
  var users: [Int64: String]
  let authors: [Int64: Int64]
  var error: StoreError?
  private(set) var requests: [String] = []

  init(users: [Int64: String], authors: [Int64: Int64]) {
    self.users = users
    self.authors = authors
  }

  let layouts = [
    // id, name, stub
    RowLayout(
      table: 0, topEntity: 0, isKeyedByNumber: false, isKnownByKey: true, key: [0], identity: [0],
      attributes: [(1, 1)], limitedAttributes: [], references: [[], []], stubColumn: 2,
      isList: [true, true]),
    // id, author, stub
    RowLayout(
      table: 1, topEntity: 1, isKeyedByNumber: false, isKnownByKey: true, key: [0], identity: [0],
      attributes: [], limitedAttributes: [], references: [[1], []], stubColumn: 2,
      isList: [false, false]),
  ]
  let isLookAhead = false

  func readRow(
    identityOf entity: Int, _ values: BorrowedBuffer<RawValue>, into row: inout RowBuffer
  ) throws(StoreError) -> Bool {
    try readRow(of: values, entity, isWhole: true, into: &row)
  }

  func readRow(
    of key: BorrowedBuffer<RawValue>, _ entity: Int, isWhole: Bool, into row: inout RowBuffer
  ) throws(StoreError) -> Bool {
    let id = key[0].integer
    requests.append("\(entity == 0 ? "user" : "tweet") \(id)")
    if let error { throw error }
    row.removeAll()
    row.entity = entity
    row.append(word: key[0].bits)
    if entity == 0 {
      guard let name = users[id] else { return false }
      Array(name.utf8).withBorrowed { $0.withRawSpan { row.append(bytes: $0) } }
    } else {
      guard let author = authors[id] else { return false }
      row.append(word: RawValue.integer(author).bits)
    }
    row.appendNull()
    return true
  }

  func keys(
    ofMembers relationship: Int, of entity: Int, _ key: BorrowedBuffer<RawValue>
  ) -> RowKeys {
    guard entity == 0, relationship == 0 else { return keys([]) }
    requests.append("tweets of \(key[0].integer)")
    return keys(authors.filter { $0.value == key[0].integer }.map(\.key))
  }

  private func keys(_ tweets: [Int64]) -> RowKeys {
    let keys = RowKeys(table: 1, width: 1)
    for tweet in tweets.sorted() {
      keys.append { $0.append(word: RawValue.integer(tweet).bits) }
    }
    return keys
  }

  func readAnyRow(of entity: Int, into row: inout RowBuffer) -> Bool { false }
  func keys(of entity: Int) -> RowKeys { keys(entity == 1 ? Array(authors.keys) : []) }
  func keys(of entity: Int, attribute: Int, _ value: RawValue) -> RowKeys { keys([]) }
  func keys(ofOwners relationship: Int, of entity: Int, _ key: BorrowedBuffer<RawValue>) -> RowKeys
  {
    keys([])
  }
  func missingRow(of entity: Int) -> StoreError {
    StoreError(.database, "no row of entity \(entity)")
  }
}
