/// Lays objects out in a document: alone, in arrays, under names, or one a line.
struct ContentWriter: ~Copyable {
  private var objects: ObjectWriter
  private let isNDJSON: Bool

  init(plan: ExportPlan, graph: Graph, to consume: @escaping (RawSpan) throws -> Void) {
    objects = ObjectWriter(plan: plan, graph: graph, to: consume)
    isNDJSON = plan.options.isNDJSON
  }

  /// Writes a document.
  mutating func write(_ content: ExportContent) throws {
    try write(content, under: [])
    if objects.json.isPretty { try objects.json.endLine() }
    try objects.json.buffer.flush()
  }

  /// Writes what stands under some names; on lines of their own, each line repeats them.
  private mutating func write(_ content: ExportContent, under names: [[UInt8]]) throws {
    switch content.kind {
    case .object(let object):
      try use(object.graph, for: object.entityName)
      try writeOne(object.id, under: names, position: nil)
    case .objects(let forEach):
      var position = 0
      try begin("[")
      try forEach { object in
        try use(object.graph, for: object.entityName)
        try writeOne(object.id, under: names, position: position)
        position += 1
      }
      try end("]", isEmpty: position == 0, under: names)
    case .entity(let name, let graph, let includesSubentities):
      try use(graph, for: name)
      let entity = try graph.schema.entity(name)
      let family = includesSubentities ? entity.family : [entity.number]
      try writeRows(family.map { ($0, nil) }, isNamed: isNamed(entity.number), under: names)
    case .graph(let graph): try write(graph, under: names)
    case .members(let members):
      try begin("{")
      for member in members { try write(member.content, as: member.key, under: names) }
      try end("}", isEmpty: members.isEmpty, under: names)
    }
  }

  private mutating func write(
    _ content: ExportContent, as key: String, under names: [[UInt8]]
  ) throws {
    let name = CanonicalEntity.quoted(key)
    if !isNDJSON { try objects.json.beginMember(named: name) }
    try write(content, under: names + [name])
  }

  /// Writes all objects of a graph.
  private mutating func write(_ graph: Graph, under names: [[UInt8]]) throws {
    try use(graph, for: "the graph")
    // What stands before the graph is no part of what the cover tells.
    objects.forgetWritten()
    let cover = AnonymousCover(plan: objects.plan, graph: graph)
    objects.cover = cover
    defer { objects.cover = nil }
    try begin("{")
    for entity in graph.schema.entities
    where !entity.isAbstract || graph.liveCount(entity.number) > 0 {
      let name = CanonicalEntity.quoted(entity.name)
      if !isNDJSON { try objects.json.beginMember(named: name) }
      try writeRows(
        [(entity.number, cover)], isNamed: isNamed(entity.number), under: names + [name])
    }
    try end("}", isEmpty: false, under: names)
  }

  /// Writes the objects of some concrete entities.
  private mutating func writeRows(
    _ entities: [(number: Int, cover: AnonymousCover?)], isNamed: Bool, under names: [[UInt8]]
  ) throws {
    var position = 0
    var memberNames = MemberNames()
    try begin(isNamed ? "{" : "[")
    for (entity, cover) in entities {
      for id in objects.graph.rows(entity) {
        if let cover, cover.isAnonymous(id), !cover.outermost.contains(id) { continue }
        if isNamed {
          // Each line is a collection of its own.
          if isNDJSON { memberNames = MemberNames() }
          try writeNamed(id, under: names, position: position, among: &memberNames)
        } else {
          try writeOne(id, under: names, position: position)
        }
        position += 1
      }
    }
    try end(isNamed ? "}" : "]", isEmpty: position == 0, under: names)
  }

  /// Writes one object: where a value is due, as an element at a position, or on a line of its own.
  private mutating func writeOne(
    _ id: ObjectID, under names: [[UInt8]], position: Int?
  ) throws {
    guard isNDJSON else {
      if position != nil { try objects.json.beginElement() }
      return try objects.writeOutermost(id)
    }
    try beginLine(under: names)
    try objects.writeOutermost(id)
    try endLine(under: names)
  }

  private mutating func writeNamed(
    _ id: ObjectID, under names: [[UInt8]], position: Int, among memberNames: inout MemberNames
  ) throws {
    let isMention =
      objects.outermostReference(to: id).map { objects.isMention($0, as: id.entity) } ?? false
    guard isNDJSON else {
      try objects.beginMember(
        for: id, at: position, isMention: isMention, among: &memberNames)
      return try objects.writeOutermost(id)
    }
    try beginLine(under: names)
    try objects.json.open(0x7B)
    try objects.beginMember(for: id, at: position, isMention: isMention, among: &memberNames)
    try objects.writeOutermost(id)
    try objects.json.close(0x7D)
    try endLine(under: names)
  }

  private mutating func begin(_ bracket: Unicode.Scalar) throws {
    if !isNDJSON { try objects.json.open(UInt8(ascii: bracket)) }
  }

  /// Closes a container; on lines, an empty one under a name is told, so that it is found again.
  private mutating func end(
    _ bracket: Unicode.Scalar, isEmpty: Bool, under names: [[UInt8]]
  ) throws {
    guard isNDJSON else { return try objects.json.close(UInt8(ascii: bracket)) }
    guard isEmpty, !names.isEmpty else { return }
    try beginLine(under: names)
    try objects.json.open(bracket == "]" ? 0x5B : 0x7B)
    try objects.json.close(UInt8(ascii: bracket))
    try endLine(under: names)
  }

  private mutating func beginLine(under names: [[UInt8]]) throws {
    for name in names {
      try objects.json.open(0x7B)
      try objects.json.beginMember(named: name)
    }
  }

  private mutating func endLine(under names: [[UInt8]]) throws {
    for _ in names { try objects.json.close(0x7D) }
    try objects.json.endLine()
  }

  /// Whether an entity's objects stand under names, because nothing else tells an attribute.
  private func isNamed(_ entity: Int) -> Bool {
    objects.plan.entities[entity].isNamedOutside
  }

  /// Reads from another snapshot from here on.
  private mutating func use(_ graph: Graph, for name: String) throws {
    guard graph.storage !== objects.graph.storage else { return }
    guard graph.schema === objects.plan.schema else {
      throw ExportError(
        .model, "\(name) follows another model than the exporter was made for; make one for it")
    }
    objects.graph = graph
    objects.forgetWritten()
  }
}

extension ExportContent {
  /// A graph to begin with, for the first object to replace.
  var anyGraph: Graph? {
    switch kind {
    case .object(let object): object.graph
    case .entity(_, let graph, _), .graph(let graph): graph
    case .members(let members): members.lazy.compactMap(\.content.anyGraph).first
    case .objects: nil
    }
  }
}
