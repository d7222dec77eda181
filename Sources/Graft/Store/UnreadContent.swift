import Synchronization

// A graph read by a query of a database has more objects than the query has read: each link leads
// to an object, whose identity is known from the link alone. Its other cells are empty. So are
// lists that the query did not follow. Reading such a cell stops the program, with a message that
// names the missing `following:`:
//
//   objects(Issue.self, following: \.comments)     issue.comments.first?.author?.login
//   Comment.author was not read (User 3); add following: \.comments.author
//
// Some graphs read such a cell when it is asked for (``UnreadContent/current``): a deletion scope decides by it.
//
// A graph of everything lacks nothing, and each read of it pays a comparison with nil.

/// A part that a graph may lack: an object, or the members of one of its to-many relationships.
package struct UnreadPart: Sendable {
  /// The object.
  package let object: ObjectID
  /// The number of the relationship; nil for everything but the object's identity.
  package let relationship: Int?
}

/// Knows which parts of a graph were not read from the database.
package protocol UnreadContent: AnyObject, Sendable {
  /// Returns whether only the identity of an object was read.
  func isUnread(_ id: ObjectID) -> Bool

  /// Returns whether the members of a to-many relationship were not read, although its object was.
  func isUnread(_ relationship: Int, of id: ObjectID) -> Bool

  /// The graph with everything read so far, if parts are read when they are asked for; else nil.
  ///
  /// Such content reads a part when it is asked whether the part is unread.
  var current: Graph? { get }

  /// Reads all objects of some entities, if parts are read when they are asked for.
  func readAll(of entities: [Int])

  /// Returns an error that names the part that was not read, and the `following:` that would have
  /// read it.
  ///
  /// - Parameters:
  ///   - part: The part that was not read.
  ///   - link: The relationship that led to the part, if it is known.
  ///   - graph: The graph.
  /// - Returns: The error.
  func error(for part: UnreadPart, by link: UnreadPart?, in graph: Graph) -> StoreError
}

extension UnreadContent {
  package var current: Graph? { nil }
  package func readAll(of entities: [Int]) {}
}

/// The parts that a graph lacks, and the link that led to each.
final class UnreadParts: Sendable {
  let content: any UnreadContent
  // The link that was used last. Two threads may each write half of it, so it is checked before it
  // is used.
  private let owner = Atomic<UInt64>(0)
  private let relationship = Atomic<Int>(0)

  init(_ content: any UnreadContent) { self.content = content }

  /// Notes that the objects of a relationship were asked for.
  func noteUse(of relationship: Int, of owner: ObjectID) {
    self.owner.store(owner.rawValue, ordering: .relaxed)
    self.relationship.store(relationship, ordering: .relaxed)
  }

  /// Returns an error that names a part that was not read, and the `following:` that would have read it.
  func error(for part: UnreadPart, in graph: Graph) -> StoreError {
    content.error(
      for: part, by: part.relationship == nil ? lastLink(to: part.object, in: graph) : nil,
      in: graph)
  }

  private func lastLink(to target: ObjectID, in graph: Graph) -> UnreadPart? {
    let number = relationship.load(ordering: .relaxed)
    guard let owner = ObjectID(cell: owner.load(ordering: .relaxed)), graph.contains(owner),
      graph.schema.entities[owner.entity].relationships.indices.contains(number),
      graph.knownTargets(of: owner, number).contains(target)
    else { return nil }
    return UnreadPart(object: owner, relationship: number)
  }
}

extension Graph {
  /// Returns the same graph with some parts marked as not read.
  package func lacking(_ unread: any UnreadContent) -> Graph {
    Graph(
      storage: GraphStorage(
        layout: storage.layout, tables: storage.tables, indexes: storage.indexes,
        unread: UnreadParts(unread)))
  }

  /// Returns the objects that a relationship leads to in this graph, whether or not it was read.
  package func knownTargets(of id: ObjectID, _ relationship: Int) -> [ObjectID] {
    let place = place(of: id)
    let column = place.shape.relationships[relationship]
    return column.isToMany
      ? Array(place.group.list(place.row, column).members)
      : ObjectID(cell: place.group.toOne(place.row, column)).map { [$0] } ?? []
  }

  /// Whether parts of the graph were not read.
  package var isPartial: Bool { storage.unread != nil }

  /// The graph that is read instead of this one, if what is asked for is read.
  package var current: Graph? { storage.unread?.content.current }

  /// Returns a graph that has all objects of some entities, if what is asked for is read; else this one.
  func having(all entities: [Int]) -> Graph {
    guard let content = storage.unread?.content else { return self }
    content.readAll(of: entities)
    return content.current?.lacking(content) ?? self
  }

  /// Returns whether more than the identity of an object was read.
  package func isRead(_ id: ObjectID) -> Bool {
    guard let unread = storage.unread else { return true }
    return !unread.content.isUnread(id)
  }

  /// Returns whether an object is a stub, or was not read, so that only its identity is known.
  @inline(__always)
  package func isIdentityOnly(_ id: ObjectID) -> Bool {
    if isPartial, !isRead(id) { return true }
    let place = place(of: id)
    return place.group.bit(place.row, at: place.shape.stubBits)
  }

  /// Returns the part that must be read for the value of an attribute; nil if it was read.
  package func unreadPart(_ id: ObjectID, attribute: Int) -> UnreadPart? {
    isRead(id) || schema.entities[id.entity].identity.contains(attribute)
      ? nil : UnreadPart(object: id, relationship: nil)
  }

  /// Returns the part that must be read for the objects of a relationship; nil if it was read.
  package func unreadPart(_ id: ObjectID, relationship: Int) -> UnreadPart? {
    guard let unread = storage.unread else { return nil }
    if unread.content.isUnread(id) { return UnreadPart(object: id, relationship: nil) }
    return schema.entities[id.entity].relationships[relationship].isToMany
      && unread.content.isUnread(relationship, of: id)
      ? UnreadPart(object: id, relationship: relationship) : nil
  }

  /// Returns an error that names a part that was not read, and the `following:` that would have read it.
  package func error(for part: UnreadPart) -> StoreError {
    guard let unread = storage.unread else { misuse("a graph of everything lacks nothing") }
    return unread.error(for: part, in: self)
  }

  // Not inlined, so that callers pay only for the comparison with nil before.

  /// Stops the program, or notes an error (``UnreadNotes``), where an attribute was not read.
  @inline(never)
  package func expectRead(_ id: ObjectID, attribute: Int) {
    if let part = unreadPart(id, attribute: attribute) { refuse(part) }
  }

  /// Stops the program, or notes an error (``UnreadNotes``), where a relationship was not read.
  @inline(never)
  package func expectRead(_ id: ObjectID, relationship: Int) {
    if let part = unreadPart(id, relationship: relationship) { return refuse(part) }
    storage.unread?.noteUse(of: relationship, of: id)
  }

  /// Stops the program, or notes an error (``UnreadNotes``), where an object was not read.
  @inline(never)
  package func expectRead(_ id: ObjectID) {
    if !isRead(id) { refuse(UnreadPart(object: id, relationship: nil)) }
  }

  /// Returns the part that must be read for an attribute of all objects of some entities; nil
  /// if it was read.
  func unreadPart(_ attribute: Int, ofAll entities: [Int]) -> UnreadPart? {
    guard isPartial else { return nil }
    return entities.lazy.flatMap { rows($0) }.compactMap { unreadPart($0, attribute: attribute) }
      .first
  }

  /// Stops the program, or notes an error (``UnreadNotes``), if an attribute of some entities'
  /// objects was not read.
  func expectRead(_ attribute: Int, ofAll entities: [Int]) {
    if let part = unreadPart(attribute, ofAll: entities) { refuse(part) }
  }

  private func refuse(_ part: UnreadPart) {
    if let notes = UnreadNotes.current { return notes.note { error(for: part) } }
    misuse(error(for: part).message)
  }
}

/// Notes the first unread part that code has asked for, for callers that can throw.
///
/// A handle has no way to throw, so that it stops the program. Within ``catching(_:)`` it gets an
/// empty cell instead, and the caller throws ``error`` before it uses the result.
package final class UnreadNotes: Sendable {
  @TaskLocal package static var current: UnreadNotes?

  private let first = Mutex<StoreError?>(nil)

  private init() {}

  /// Calls a closure, in which parts that were not read are noted.
  package static func catching<R, E: Error>(
    _ body: (UnreadNotes) throws(E) -> R
  ) throws(E) -> R {
    let notes = UnreadNotes()
    let result = $current.withValue(notes) { Result { () throws(E) in try body(notes) } }
    return try result.get()
  }

  fileprivate func note(_ error: () -> StoreError) {
    first.withLock { if $0 == nil { $0 = error() } }
  }

  /// The error for the first part that was asked for; nil if all were read.
  package var error: StoreError? { first.withLock { $0 } }
}
