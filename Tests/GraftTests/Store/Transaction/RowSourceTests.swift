import Testing

@testable import Graft
@testable import GraftTestSupport

// A source of rows knows nothing of the transaction: it returns rows and keys, and the transaction
// inserts their objects.

@Suite struct `A source of rows` {
  /// User 3, who has the tweets 7 and 8.
  private let source = SampleRows(users: [3: "ada"], authors: [7: 3, 8: 3])
  private let transaction: GraphTransaction

  init() {
    transaction = GraphTransaction(
      base: Graph(emptyOf: Sample.timeline), fetched: FetchedObjects(source))
  }

  private func find(_ entity: Int, _ identity: Int64) -> ObjectID? {
    BorrowedBuffer.withOne(.integer(identity)) { transaction.find(identityOf: entity, $0) }
  }

  @Test func `is asked once for an object that is looked up`() throws {
    let user = try #require(find(0, 3))
    #expect(find(0, 3) == user)
    #expect(transaction.value(user, attribute: 1).text == "ada")
    #expect(find(0, 4) == nil)
    #expect(source.requests == ["user 3", "user 4"])
  }

  @Test func `is asked for the target of a link only when that is looked up`() throws {
    let tweet = try #require(find(1, 7))
    let user = try #require(transaction.toOne(tweet, relationship: 0))
    #expect(source.requests == ["tweet 7"])
    #expect(transaction.isNull(user, attribute: 1))
    #expect(find(0, 3) == user)
    #expect(!transaction.isNull(user, attribute: 1))
    #expect(source.requests == ["tweet 7", "user 3"])
  }

  @Test func `is asked for a list before the list is replaced`() throws {
    let user = try #require(find(0, 3))
    let kept = try #require(find(1, 8))
    _ = transaction.setToMany(user, relationship: 0, [kept].span)
    #expect(source.requests.contains("tweets of 3"))
    let fetched = try #require(transaction.fetched)
    #expect(fetched.storedMembers(of: user, 0).count == 2, "the list as the source has it")
    let lost = try #require(find(1, 7))
    #expect(transaction.toOne(lost, relationship: 0) == nil)
    #expect(fetched.state(of: lost).contains(.written))
    #expect(fetched.state(of: kept) == .stored, "its link is as the source has it")
  }

  @Test func `is asked only for the members that a list loses`() throws {
    let user = try #require(find(0, 3))
    let writer = CheckedWriter(transaction: transaction)
    let members = try writer.members(of: user, relationship: 0)
    try writer.setMembers([members[1]], of: user, relationship: 0)
    #expect(source.requests == ["user 3", "tweets of 3", "tweet 7"])
    try writer.removeMember(members[1], from: user, relationship: 0)
    #expect(source.requests.dropFirst(3) == ["tweet 8"])
    #expect(try writer.members(of: user, relationship: 0) == [])
    #expect(try writer.target(of: members[1], relationship: 0) == nil)
  }

  @Test func `does not return an object that was removed, or has another identity`() throws {
    let tweet = try #require(find(1, 7))
    try transaction.delete([tweet])
    #expect(find(1, 7) == nil)
    let other = try #require(find(1, 8))
    _ = try BorrowedBuffer.withOne(.integer(9)) { (identity) throws(StoreError) in
      try transaction.setIdentity(other, identity)
    }
    #expect(find(1, 9) == other)
    #expect(find(1, 8) == nil)
  }

  @Test func `ends with its first error, which is told at the next check`() throws {
    source.error = StoreError(.database, "the disk is gone")
    #expect(find(0, 3) == nil)
    source.error = nil
    #expect(find(0, 3) == nil, "nothing is read after an error")
    #expect(throws: StoreError.self) { try transaction.fetched?.check() }
  }

  @Test(arguments: [1, 7, 1_000])
  func `is asked ahead for what the lines after a broken one look up`(chunk: Int) throws {
    var options = ImportOptions()
    options.parser.format = .ndjson
    options.brokenLines = .skip
    let model = try GraphModel(
      entities: [
        .make(
          "User", [.make("name")],
          [
            .make("tweets", to: "Tweet", many: true, inverse: "author"),
            .make("friends", to: "User", many: true),
          ]),
        .make(
          "Tweet", [.make("text")],
          [.make("author", to: "User", inverse: "tweets"), .make("reply", to: "Tweet")]),
      ], dialect: .graft)
    var lookAhead = try LookAhead(
      for: StoreDestination(GraphStore(model: model), options), roots: [ImportRoot("Tweet")],
      options: options, source: source)
    let lines = [#"{"id": 5, "author": 4}"#, #"{"id": 6, "te"#, #"{"id": 7}"#, ""]
    let bytes = Array(lines.joined(separator: "\n").utf8)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      Array(bytes[start..<min(start + chunk, bytes.count)]).withBorrowed { lookAhead.parse($0) }
    }
    #expect(source.requests == ["user 4", "tweet 5", "tweet 7"])
  }

  @Test func `has an error for a link that leads nowhere`() throws {
    source.users = [:]
    let tweet = try #require(find(1, 7))
    _ = try #require(transaction.toOne(tweet, relationship: 0))
    #expect(find(0, 3) != nil)
    let error = #expect(throws: StoreError.self) { try transaction.fetched?.check() }
    #expect(error?.message == "no row of entity 0")
  }
}

/// Rows of the sample's users and tweets, in dictionaries.
private final class SampleRows: LookAheadSource {
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
  let byteLimit = 1_000
  func beginChunk() {}
  func endChunk() {}

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
