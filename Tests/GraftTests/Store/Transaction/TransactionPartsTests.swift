import Testing

@testable import Graft
@testable import GraftTestSupport

// Checks the parts of a transaction, each without the others where possible.

@Suite struct `Working tables` {
  @Test func `share the base's groups until they are written`() throws {
    let store = GraphStore(model: Sample.timeline)
    let setup = store.begin()
    let user = setup.insert(0, .integer(1))
    _ = setup.set(user, 1, .string("ada"))
    let base = try store.commit(setup).graph
    let tables = WorkingTables(base)
    defer { tables.deallocate() }
    let shared = base.place(of: user).group.base
    #expect(tables.group(of: user).base == shared)
    #expect(!tables.row(user).set(2, .integer(0)))
    #expect(!tables.isChanged, "the value is there already")
    #expect(tables.row(user).set(2, .integer(7)))
    #expect(tables.group(of: user).base != shared)
    #expect(base.object(user)?["followers"] == .integer(0))
    #expect(tables[0].snapshot().group(0).base == tables.group(of: user).base)
    tables.reset(to: base)
    #expect(!tables.isChanged && tables.group(of: user).base == shared)
  }
}

@Suite struct `The link writer` {
  private let graph = Graph(layout: StoreLayout(model: Sample.timeline))

  @Test func `writes the other side too, and only where it is asked to one alone`() {
    let tables = WorkingTables(graph)
    defer { tables.deallocate() }
    let links = LinkWriter(tables: tables, fetched: nil)
    let none = graph.storage.layout.defaults[1]
    let (ada, bob) = (
      tables.addRow(0, isStub: false, defaults: none),
      tables.addRow(0, isStub: false, defaults: none)
    )
    let tweet = tables.addRow(1, isStub: false, defaults: none)
    #expect(links.setToOne(tweet, 0, ada))
    #expect(!links.setToOne(tweet, 0, ada))
    #expect(tables.toMany(ada, relationship: 0) == [tweet])
    let tweets = [tweet]
    let isChanged = links.setToMany(bob, 0, tweets.span)
    #expect(isChanged)
    #expect(tables.toOne(tweet, relationship: 0) == bob)
    #expect(tables.toMany(ada, relationship: 0) == [])
    links.unlink(bob, 0, from: tweet)
    #expect(tables.toMany(bob, relationship: 0) == [])
    #expect(tables.toOne(tweet, relationship: 0) == bob, "the other side is left alone")
  }
}

@Suite struct `A deletion plan` {
  @Test func `finds what is deleted, and changes nothing`() throws {
    let transaction = GraphStore(model: Sample.timeline).begin()
    let users = (0..<2).map { transaction.insert(0, .integer($0)) }
    let tweets = (0..<3).map { transaction.insert(1, .integer($0)) }
    transaction.link(users[0], 0, Array(tweets[..<2]))
    transaction.link(users[1], 0, [tweets[2]])
    transaction.link(users[0], 1, [users[1]])
    let plan = try DeletionPlan(deleting: [users[0], users[0]], in: transaction)
    #expect(plan.objects == [users[0], tweets[0], tweets[1]])
    #expect(plan.entities == [0, 1])
    #expect(DeletionPlan(removing: [users[0]], from: transaction).objects == [users[0]])
    #expect(plan.objects.allSatisfy(transaction.contains))
  }
}

@Suite struct `A working index` {
  private let object = ObjectID(entity: 0, store: 0)

  @Test func `is its base until it is written, and leaves the base as it was`() {
    let base = IdentityIndex()
    var index = WorkingIndex(base: base)
    defer { index.close() }
    #expect(index.snapshot() === base)
    index.remove(object, hash: 7)
    #expect(index.snapshot() === base, "nothing was there to be removed")
    index.insert(object, hash: 7)
    #expect(index.view.find(7) { $0 == object } == object)
    #expect(base.view.find(7) { $0 == object } == nil)
    let snapshot = index.snapshot()
    #expect(snapshot !== base && snapshot.count == 1)
  }
}

@Suite struct `The register of identities` {
  @Test func `finds an object by its identity as long as it is registered`() throws {
    let graph = Graph(layout: StoreLayout(model: Sample.timeline))
    let tables = WorkingTables(graph)
    defer { tables.deallocate() }
    let identities = IdentityRegister(graph, tables)
    let user = tables.addRow(0, isStub: true, defaults: graph.storage.layout.defaults[0])
    func find(_ id: Int64) -> ObjectID? {
      [RawValue.integer(id)].withBorrowed { identities.find(0, $0) }
    }
    [RawValue.integer(1)].withBorrowed { identities.assign($0, to: user) }
    #expect(find(1) == user)
    [RawValue.integer(2)].withBorrowed { identities.reassign($0, to: user) }
    #expect(find(1) == nil && find(2) == user)
    identities.remove(user)
    #expect(find(2) == nil)
    #expect(tables.value(user, attribute: 0).integer == 2, "its row keeps the identity")
  }
}
