import Graft

/// Writes objects into a document: alone, in arrays, under keys, or one on each line.
struct ContentWriter: ~Copyable {
  private var objects: ObjectWriter
  private let isNDJSON: Bool

  init(
    plan: ExportPlan, graph: Graph, to consume: @escaping (RawSpan) throws -> Void
  ) throws {
    objects = try ObjectWriter(plan: plan, graph: graph, to: consume)
    isNDJSON = objects.plan.options.isNDJSON
  }

  /// Writes a document.
  ///
  /// - Returns: The report of values that could not be written.
  mutating func write(_ content: ExportContent) throws -> ExportReport {
    try write(content, under: [])
    if objects.plan.options.isPretty, !isNDJSON { objects.json.endLine() }
    try objects.flush()
    objects.losses.settle(objects.plan, objects.traversal)
    return objects.losses.report(objects.plan.schema)
  }

  /// Writes a content under some keys; each line repeats them, if contents are written on lines.
  @inline(never)
  private mutating func write(_ content: ExportContent, under keys: [[UInt8]]) throws {
    switch content.kind {
    case .object(let object):
      try use(object.graph, of: object.entityName)
      objects.outermostEntity = object.id.entity
      beginLine(under: keys)
      try objects.writeOutermost(object.id, at: .alone)
      endLine(under: keys)
    case .objects(let forEach): try write(forEach, under: keys)
    case .entity(let name, let graph, let includesSubentities):
      try use(graph, of: name)
      let entity = try graph.schema.entity(name)
      let rows = rows(of: includesSubentities ? entity.family : [entity.number])
      objects.outermostEntity = entity.number
      try write(rows, isKeyed: haveKeys(rows, entity.number), under: keys)
    case .graph(let graph): try write(graph, under: keys)
    case .source(let source, let entity, let includesSubentities):
      let pages = try source.beginPages()
      defer { pages.end() }
      try write(pages, entity, includesSubentities: includesSubentities, under: keys)
    case .members(let members):
      begin("{")
      for member in members {
        let key = JSONWriter.quoted(member.key)
        if !isNDJSON { objects.json.key(quoted: key.span) }
        try write(member.content, under: keys + [key])
      }
      end("}", isEmpty: members.isEmpty, under: keys)
    }
  }

  /// Writes objects as an array, or under their keys if only a key distinguishes them.
  private mutating func write(
    _ forEach: ((GraphObject) throws -> Void) throws -> Void, under keys: [[UInt8]]
  ) throws {
    var isKeyed: Bool?
    var position = 0
    var memberKeys = MemberKeys()
    var written = ObjectSet(entityCount: objects.plan.schema.entities.count)
    // An import of an array expects the nearest entity above all objects in it.
    var above: Int?
    var mistakable: [ObjectID] = []
    objects.outermostEntity = nil
    try forEach { object in
      try use(object.graph, of: object.entityName)
      let keyed = isKeyed ?? self.isKeyed(object.id.entity)
      if isKeyed == nil { begin(keyed ? "{" : "[") }
      isKeyed = keyed
      let entity = object.id.entity
      above = above.map { objects.plan.schema.entity(above: $0, and: entity) } ?? entity
      if !objects.plan.mistakes[entity].isEmpty { mistakable.append(object.id) }
      // Write an object that occurs twice under one key only.
      if keyed, !written.insert(object.id) { return }
      if isNDJSON { memberKeys = MemberKeys() }
      try write(object.id, at: position, isKeyed: keyed, under: keys, &memberKeys)
      position += 1
    }
    if let above { objects.noteEntities(ofElements: mistakable, above: above) }
    if isKeyed == nil { begin("[") }
    end(isKeyed == true ? "}" : "]", isEmpty: position == 0, under: keys)
  }

  /// Writes all objects of a graph.
  private mutating func write(_ graph: Graph, under keys: [[UInt8]]) throws {
    try check(graph, of: "the graph")
    try objects.begin(graph, isWhole: true)
    defer { objects.traversal.endWhole() }
    begin("{")
    for entity in objects.plan.order.map({ graph.schema.entities[$0] })
    where !entity.isAbstract || graph.liveCount(entity.number) > 0 {
      let key = JSONWriter.quoted(entity.name)
      if !isNDJSON { objects.json.key(quoted: key.span) }
      let rows = rows(of: [entity.number])
      objects.outermostEntity = entity.number
      // The name of the list names the entity.
      if objects.plan.entities[entity.number].keyName != nil {
        for id in rows { objects.losses.noteKey(id) }
      }
      try write(rows, isKeyed: try areKeyed(rows, entity.number), under: keys + [key])
    }
    for stub in objects.traversal.reachability?.valueStubs ?? [] { objects.noteLinks(ofStub: stub) }
    for stub in objects.traversal.reachability?.orphanedStubs ?? [] {
      objects.note(.orphaned, nil, of: stub)
    }
    end("}", isEmpty: false, under: keys)
  }

  /// Writes objects that are not in memory: in pages, or all at once if the output of some depends
  /// on others.
  private mutating func write(
    _ pages: any ExportPages, _ entity: String?, includesSubentities: Bool, under keys: [[UInt8]]
  ) throws {
    try check(pages.emptyGraph, of: entity ?? "the database")
    try objects.begin(pages.emptyGraph, isWhole: false)
    let plan = objects.plan
    let entity = try entity.map { try plan.schema.entity($0) }
    let isWhole = entity == nil
    let numbers =
      entity.map { includesSubentities ? $0.family : [$0.number] } ?? plan.order
    let isInParts =
      try pages.isOrdered && plan.isWritableInParts(numbers, at: entity?.number)
      && !(isWhole && numbers.contains { try hasAnonymous($0, pages) })
    guard isInParts else {
      let graph = try pages.readAll()
      guard let entity else { return try write(graph, under: keys) }
      return try write(
        ExportContent.entity(entity.name, of: graph, includesSubentities: includesSubentities),
        under: keys)
    }
    objects.traversal.pages = pages
    defer { objects.traversal.endPages() }
    let reach = ExportReach(plan, isWhole: isWhole)
    objects.outermostEntity = entity?.number
    guard isWhole else { return try write(pages, numbers, reach, under: keys) }
    begin("{")
    var before: Set<Int> = []
    for entity in numbers.map({ plan.schema.entities[$0] }) {
      if try !entity.isAbstract || pages.hasObjects(of: entity.number) {
        let key = JSONWriter.quoted(entity.name)
        if !isNDJSON { objects.json.key(quoted: key.span) }
        objects.outermostEntity = entity.number
        try write(pages, [entity.number], reach, after: before, under: keys + [key])
      }
      before.insert(entity.number)
    }
    end("}", isEmpty: false, under: keys)
  }

  /// Returns whether there are objects of a concrete entity that cannot be referred to.
  private func hasAnonymous(_ number: Int, _ pages: any ExportPages) throws -> Bool {
    let entity = objects.plan.entities[number]
    guard entity.mayBeAnonymous else { return false }
    return try entity.hasIdentity
      ? pages.lacksIdentities(of: number) : pages.hasObjects(of: number)
  }

  /// Writes the objects of some concrete entities as an array, page by page.
  ///
  /// - Parameters:
  ///   - pages: The source of the objects.
  ///   - entities: The numbers of the entities.
  ///   - reach: The parts of the objects that are written.
  ///   - before: In a whole graph, the entities that have been written; nil if some entities are.
  ///   - keys: The keys under which the array is found.
  /// - Throws: ``ExportError``, ``StoreError``, and what the consumer throws.
  private mutating func write(
    _ pages: any ExportPages, _ entities: [Int], _ reach: ExportReach,
    after before: Set<Int>? = nil,
    under keys: [[UInt8]]
  ) throws {
    var position = 0
    var memberKeys = MemberKeys()
    begin("[")
    for entity in entities {
      pages.begin(entity, reach)
      while let page = try pages.next() {
        try objects.begin(page.graph, isWhole: before != nil)
        objects.traversal.noteWritten(page.written)
        if reach.needsOrder, let before {
          objects.traversal.noteWritten(page.objects(after: before, entity))
        }
        for id in page.objects {
          try write(id, at: position, isKeyed: false, under: keys, &memberKeys)
          position += 1
        }
        pages.noteWritten { objects.traversal.hasWritten($0) }
      }
    }
    end("]", isEmpty: position == 0, under: keys)
  }

  /// Returns the objects of some concrete entities that are not nested elsewhere.
  private func rows(of entities: [Int]) -> some Sequence<ObjectID> {
    let graph = objects.traversal.graph
    let reachability = objects.traversal.reachability
    return entities.lazy.flatMap { graph.rows($0) }.filter { id in
      guard let reachability, reachability.isNested(id) else { return true }
      return reachability.outermost.contains(id)
    }
  }

  /// Returns whether the objects of an entity are written under keys when the whole graph is.
  ///
  /// They are if an import finds their keys there again. No two objects may share a key; if two do,
  /// the relationships that lead to them write their keys. They also are if an import would find
  /// wrong positions in an array.
  @inline(never)
  private func areKeyed(_ rows: some Sequence<ObjectID>, _ number: Int) throws -> Bool {
    let entity = objects.plan.entities[number]
    if isKeyed(number) { return haveKeys(rows, number) }
    guard entity.isPlacedByPositionOnly, let position = entity.position, entity.holdsIdentity else {
      return false
    }
    var index: Int64 = 0
    for id in rows {
      if let found = objects.position(of: id, in: position), found != index { return true }
      index += 1
    }
    return false
  }

  /// Returns whether objects are written under keys, because only a key can distinguish them.
  ///
  /// Each must have a key of its own, unless only the key distinguishes the objects. An array loses
  /// keys, but no object.
  @inline(never)
  private func haveKeys(_ rows: some Sequence<ObjectID>, _ number: Int) -> Bool {
    let entity = objects.plan.entities[number]
    if !isKeyed(number) { return haveSubentityKeys(rows, number) }
    guard let key = entity.key else { return false }
    guard entity.holdsIdentity, !isNDJSON else { return true }
    var names: Set<[UInt8]> = []
    return rows.allSatisfy { id in
      guard let name = try? objects.text(of: key, id) else { return false }
      return names.insert(name).inserted
    }
  }

  /// Returns whether the keys of objects name their sub-entities, and each object has a key of its
  /// own.
  @inline(never)
  private func haveSubentityKeys(_ rows: some Sequence<ObjectID>, _ number: Int) -> Bool {
    let family = objects.plan.schema.entities[number].family
    guard family.contains(where: { objects.plan.entities[$0].keyName != nil }) else { return false }
    var names: Set<[UInt8]> = []
    return rows.allSatisfy { id in
      guard let name = objects.plan.entities[id.entity].keyName else { return false }
      return names.insert(name).inserted || isNDJSON
    }
  }

  /// Writes objects as an array, or under their keys.
  @inline(never)
  private mutating func write(
    _ rows: some Sequence<ObjectID>, isKeyed: Bool, under keys: [[UInt8]]
  ) throws {
    var position = 0
    var memberKeys = MemberKeys()
    begin(isKeyed ? "{" : "[")
    for id in rows {
      // Each line is a collection of its own.
      if isNDJSON { memberKeys = MemberKeys() }
      try write(id, at: position, isKeyed: isKeyed, under: keys, &memberKeys)
      position += 1
    }
    end(isKeyed ? "}" : "]", isEmpty: position == 0, under: keys)
  }

  /// Writes an object as an element, under its key, or on a line of its own.
  @inline(never)
  private mutating func write(
    _ id: ObjectID, at position: Int, isKeyed: Bool, under keys: [[UInt8]],
    _ memberKeys: inout MemberKeys
  ) throws {
    let start = objects.json.position
    beginLine(under: keys)
    if !isKeyed {
      try objects.writeOutermost(id, at: .element(position))
    } else if try !writeKeyed(id, at: position, &memberKeys) {
      return objects.json.rewind(to: start)
    }
    endLine(under: keys)
  }

  /// Writes an object under its key.
  ///
  /// - Returns: Whether it has one.
  private mutating func writeKeyed(
    _ id: ObjectID, at position: Int, _ keys: inout MemberKeys
  ) throws -> Bool {
    let isIdentityOnly =
      objects.traversal.outermostReference(to: id, at: .key).map {
        objects.plan.isIdentityOnly($0, as: id.entity)
      } ?? false
    if isNDJSON { objects.json.beginObject() }
    guard try objects.writeKey(for: id, at: position, isIdentityOnly: isIdentityOnly, &keys) else {
      return false
    }
    try objects.writeOutermost(id, at: .key)
    if isNDJSON { objects.json.endObject() }
    return true
  }

  @inline(never)
  private mutating func begin(_ bracket: Character) {
    if isNDJSON { return }
    if bracket == "[" { objects.json.beginArray() } else { objects.json.beginObject() }
  }

  /// Closes a container; an empty one under a key is written on a line, so that it is found again.
  @inline(never)
  private mutating func end(_ bracket: Character, isEmpty: Bool, under keys: [[UInt8]]) {
    if !isNDJSON {
      if bracket == "]" { objects.json.endArray() } else { objects.json.endObject() }
    } else if isEmpty, !keys.isEmpty {
      beginLine(under: keys)
      objects.json.literal(bracket == "]" ? "[]" : "{}")
      endLine(under: keys)
    }
  }

  /// Opens an object for each key around a value, if contents are written on lines.
  @inline(never)
  private mutating func beginLine(under keys: [[UInt8]]) {
    guard isNDJSON else { return }
    for key in keys {
      objects.json.beginObject()
      objects.json.key(quoted: key.span)
    }
  }

  @inline(never)
  private mutating func endLine(under keys: [[UInt8]]) {
    guard isNDJSON else { return }
    for _ in keys { objects.json.endObject() }
    objects.json.endLine()
  }

  /// Returns whether an entity's objects are written under keys, because one of their attributes is
  /// found in the key only.
  private func isKeyed(_ entity: Int) -> Bool { objects.plan.entities[entity].isNamedByKeyOnly }

  /// Continues with a snapshot, if it is another one.
  private mutating func use(_ graph: Graph, of name: String) throws {
    guard graph.storage !== objects.traversal.graph.storage else { return }
    try check(graph, of: name)
    try objects.begin(graph, isWhole: false)
  }

  private func check(_ graph: Graph, of name: String) throws {
    guard graph.schema !== objects.plan.model else { return }
    throw ExportError(
      .model, "\(name) follows another model than the exporter was made for; make one for it")
  }
}

extension ModelSchema {
  /// Returns the nearest entity that is, or is above, each of two entities; the first if there is none.
  fileprivate func entity(above first: Int, and second: Int) -> Int {
    lineage(of: entities[first]).first { $0.family.contains(second) }?.number ?? first
  }
}

extension ExportContent {
  /// Any graph to begin with, until the first object replaces it.
  var anyGraph: Graph? {
    switch kind {
    case .object(let object): object.graph
    case .entity(_, let graph, _), .graph(let graph): graph
    case .members(let members): members.lazy.compactMap(\.content.anyGraph).first
    case .objects, .source: nil
    }
  }
}

extension ExportPage {
  /// Returns the objects before the page in a whole graph.
  ///
  /// - Parameters:
  ///   - entities: The entities before the page's entity.
  ///   - entity: The entity of the page.
  /// - Returns: The objects.
  fileprivate func objects(after entities: Set<Int>, _ entity: Int) -> [ObjectID] {
    let earlier = entities.flatMap { Array(graph.rows($0)) }
    let first = objects.first?.row ?? 0
    return earlier + graph.rows(entity).prefix { $0.row < first }
  }
}
