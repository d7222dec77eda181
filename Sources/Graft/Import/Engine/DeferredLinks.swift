/// An identifier that is looked up again when the document has ended.
struct DeferredReference {
  /// The number of the property in the plan.
  var property: Int
  var value: OwnedValue
  /// The reference's location, for a notice if it names no object at the end.
  var location: SourceLocation
  var path: String
  var found: String

  /// The number of bytes that the reference takes.
  var byteCount: Int {
    MemoryLayout<Self>.stride + value.byteCount + path.utf8.count + found.utf8.count
  }
}

/// A link that waits for the end of the document, because some members are only identifiers so far.
struct DeferredLink {
  enum Member {
    case object(ObjectID)
    /// The deferred reference of this number.
    case reference(Int)
  }

  var owner: ObjectID
  var relationship: Int
  var members: [Member]
  /// Whether any of the members is an object of the document, and not only an identifier.
  var isNested: Bool
  /// Whether the relationship has got another value since.
  var isCancelled = false

  /// The deferred references among the members.
  var references: [Int] {
    members.compactMap { if case .reference(let number) = $0 { number } else { nil } }
  }

  /// The number of bytes that the members take.
  var byteCount: Int { members.count * MemoryLayout<Member>.stride }
}

/// The references and links that wait for the end of the document under the reference policy
/// `defer`.
///
/// With `{"id": 1, "friends": [2, 3]}` where only person 2 is known, the whole list of friends waits,
/// so that it keeps its order.
struct DeferredLinks {
  /// The references that wait, by their numbers.
  private(set) var references = [Int: DeferredReference]()
  private var referenceCount = 0
  private(set) var links: [DeferredLink] = []
  /// The number of links that are not cancelled.
  private var waitingCount = 0
  /// The number of bytes that the waiting references and links take.
  private(set) var byteCount = 0
  private var positions = [LinkEnd: Int]()

  /// Whether any link waits.
  var areWaiting: Bool { waitingCount > 0 }

  /// Keeps an identifier.
  ///
  /// - Returns: Its number.
  mutating func add(_ reference: DeferredReference) -> Int {
    byteCount += reference.byteCount
    referenceCount += 1
    references[referenceCount] = reference
    return referenceCount
  }

  /// Forgets an identifier that no link waits for.
  mutating func removeReference(_ number: Int) {
    if let reference = references.removeValue(forKey: number) { byteCount -= reference.byteCount }
  }

  /// Keeps a link; it joins waiting links of the same relationship.
  mutating func add(_ link: DeferredLink) {
    byteCount += link.byteCount
    let key = LinkEnd(owner: link.owner, relationship: link.relationship)
    guard let position = positions[key] else {
      positions[key] = links.count
      byteCount += MemoryLayout<DeferredLink>.stride
      waitingCount += 1
      links.append(link)
      return
    }
    if links[position].isCancelled { waitingCount += 1 }
    let isNested = !links[position].isCancelled && links[position].isNested
    links[position].members += link.members
    links[position].isNested = isNested || link.isNested
    links[position].isCancelled = false
  }

  /// Forgets the kept link of a relationship, because the relationship has got another value since.
  ///
  /// - Returns: The objects that would have been linked.
  mutating func cancel(_ owner: ObjectID, _ relationship: Int) -> [ObjectID] {
    guard !links.isEmpty,
      let position = positions[LinkEnd(owner: owner, relationship: relationship)]
    else { return [] }
    let objects = links[position].members.compactMap { member in
      if case .object(let object) = member { object } else { nil }
    }
    byteCount -= links[position].byteCount
    for number in links[position].references { removeReference(number) }
    if !links[position].isCancelled { waitingCount -= 1 }
    links[position].members = []
    links[position].isCancelled = true
    return objects
  }

  /// Replaces the identifiers that a rebase or a promotion has changed.
  mutating func remap(_ current: (ObjectID) -> ObjectID) {
    positions.removeAll()
    for index in links.indices {
      let link = links[index]
      links[index].owner = current(link.owner)
      links[index].members = link.members.map { member in
        if case .object(let object) = member { .object(current(object)) } else { member }
      }
      positions[LinkEnd(owner: current(link.owner), relationship: link.relationship)] = index
    }
  }
}
