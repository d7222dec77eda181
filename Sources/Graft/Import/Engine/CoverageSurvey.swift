// During the import only bytes are set: one for each position of the plan at which a value was
// found, and one for each object in which an unread key was found (DocumentPosition). At the end of
// the document they are turned into entities and paths.

/// Finds the paths of the model at which a document has no value.
final class CoverageSurvey: ImportPart {
  /// A path of a property, as a number that orders paths: by entity, attributes before relationships.
  private struct Path {
    let order: Int

    init(_ property: PropertyPlan, _ index: UInt8) {
      let isRelationship = property.destination >= 0 ? 1 : 0
      order = property.entity << 32 | isRelationship << 31 | property.number << 8 | Int(index)
    }

    init(order: Int) { self.order = order }

    var entity: Int { order >> 32 }
    var isRelationship: Bool { order >> 31 & 1 == 1 }
    /// The number of the attribute or relationship.
    var number: Int { order >> 8 & 0x7F_FFFF }
    /// The position among the property's paths.
    var index: Int { order & 0xFF }
  }

  /// The number of objects read, by the number of the entity.
  private let readCounts: [Int]
  /// The paths of the plan at which a value was found.
  private let found: Set<Int>
  /// The paths of each entity that has any, in order.
  private let paths: [(entity: EntitySchema, paths: [Path])]

  init(_ shared: ImportPart, _ statistics: ImportStatistics) {
    let (plan, position) = (shared.plan, shared.position)
    readCounts = statistics.readCounts
    var (known, found) = (Set<Int>(), Set<Int>())
    func note(_ action: PropertyAction, isFound: Bool) {
      let property = plan.properties[Int(action.property)]
      guard property.entity >= 0 else { return }
      let path = Path(property, action.pathIndex)
      known.insert(path.order)
      if isFound { found.insert(path.order) }
    }
    var outerSlots = Set<Int>()
    for node in 0..<plan.values.count {
      let isFound = node == Int(plan.root) || position.hasFound(node)
      for index in plan.values[node].scalars.indices {
        switch plan.scalars[index] {
        case .outer(let slot, _): if isFound { outerSlots.insert(Int(slot)) }
        case .captured, .unread, .inUnread: break
        case .property(let action): note(action, isFound: isFound)
        }
      }
    }
    for index in 0..<plan.objectActions.count {
      let action = plan.objectActions[index]
      guard case .outer(let slot, _) = action.origin else { continue }
      let isFound = outerSlots.contains(Int(slot)) || plan.outerPaths[Int(slot)].firstKey == nil
      note(action, isFound: isFound)
    }
    self.found = found
    var paths: [(entity: EntitySchema, paths: [Path])] = []
    for path in known.sorted().map(Path.init) {
      if paths.last?.entity.number != path.entity {
        paths.append((plan.entities[path.entity].schema, []))
      }
      paths[paths.count - 1].paths.append(path)
    }
    self.paths = paths
    super.init(shared)
  }

  private func isFound(_ path: Path) -> Bool { found.contains(path.order) }

  // MARK: Notices that need no option

  /// Returns notices about entities, and about entities of the options' mapping, for which no
  /// object had any value.
  func notices() -> [ImportError] {
    var notices: [ImportError] = []
    // Reports of unknown keys are more exact than this notice.
    let withUnreadKeys = options.unknownKeys == .skip ? entitiesWithUnreadKeys() : []
    for (entity, paths) in paths where readCounts[entity.number] > 0 {
      let own = paths.filter { $0.isRelationship || !entity.identity.contains($0.number) }
      if withUnreadKeys.contains(entity.number), !own.isEmpty, !own.contains(where: isFound) {
        notices.append(notice("no path of \(entity.name) but its identity", own, entity))
      } else if let mapping = options.mapping {
        let names = mapping.properties { applies($0, to: entity) }
        let mapped = paths.filter { names.contains(name(of: $0)) }
        if !mapped.isEmpty, !mapped.contains(where: isFound) {
          notices.append(notice("no path that the mapping gives to \(entity.name)", mapped, entity))
        }
      }
    }
    for number in withUnreadKeys.sorted() where isReadWithoutValues(number) {
      let (count, name) = (readCounts[number], schema.entities[number].name)
      notices.append(
        ImportError(
          kind: .pathNotFound, entity: name,
          message:
            "no property of \(name) has a \(schema.words.name(of: "JSONKeyPath")), and dialect groot reads no"
            + " other, so \(count == 1 ? "its object was" : "\(count) objects were") read without values; annotate"
            + " the properties, or name the dialect that the model was made for"))
    }
    return notices
  }

  /// Returns whether objects of an entity were read, and the annotations of none of its properties say where it is.
  private func isReadWithoutValues(_ number: Int) -> Bool {
    let entity = schema.entities[number]
    return schema.dialect == .groot && readCounts[number] > 0 && plan.hooks(of: number) == nil
      && !entity.attributes.isEmpty && entity.attributes.allSatisfy(\.paths.isEmpty)
      && entity.relationships.allSatisfy { $0.paths.isEmpty && $0.identifierPaths.isEmpty }
  }

  private func notice(
    _ subject: String, _ unfound: [Path], _ entity: EntitySchema
  ) -> ImportError {
    let all = unfound.compactMap { text(of: $0) }
    let list = all.prefix(6).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = all.count > 6 ? " and \(all.count - 6) more" : ""
    let count = readCounts[entity.number]
    let place = count == 1 ? "in its object" : "in any of \(count) objects"
    let what =
      subject.hasSuffix("identity") && entity.identity.isEmpty
      ? "no path of \(entity.name)" : subject
    return ImportError(
      kind: .pathNotFound, entity: entity.name,
      message: "\(what) was found \(place) (\(list)\(more)); compare them with the keys that"
        + " nothing reads, which the report's coverage lists" + hintOfDictionary(entity, count))
  }

  /// Returns the advice to read the members of a dictionary, if a root has led to a single object that is identified by
  /// its key; else nothing.
  private func hintOfDictionary(_ entity: EntitySchema, _ count: Int) -> String {
    guard count == 1,
      entity.identity.contains(where: {
        entity.attributes[$0].paths.contains { $0.steps == [.key] }
      }),
      let root = plan.roots.first(where: { applies($0.entity, to: entity) }),
      root.path.steps.last != .eachMember, root.path.steps.last != .eachElement
    else { return "" }
    return
      "; if it is a dictionary of objects, its root is \"\(JSONPath(root.path.steps + [.eachMember]))\""
  }

  private func applies(_ name: String, to entity: EntitySchema) -> Bool {
    lineage(of: entity).contains { $0.name == name }
  }

  /// Returns the entities that begin with an object in which an unread key was found.
  private func entitiesWithUnreadKeys() -> Set<Int> {
    var entities = Set<Int>()
    for number in 0..<plan.containerCount where position.hasUnreadKey(number) {
      for index in plan.container(Int32(number)).pointee.handOffs.indices {
        entities.insert(Int(plan.handOffs[index].entity))
      }
    }
    return entities
  }

  // MARK: Coverage, if the options ask for it

  /// Returns the paths and entities that were not found.
  func coverage() -> ImportCoverage {
    var coverage = ImportCoverage()
    coverage.unfoundPaths = unfoundPaths()
    coverage.unfoundEntities = paths.map(\.entity)
      .filter { !$0.isAbstract && $0.family.allSatisfy { readCounts[$0] == 0 } }.map(\.name)
    return coverage
  }

  /// Returns the paths that were not found; one that no object of a family has is listed once, for the topmost entity.
  private func unfoundPaths() -> [ImportCoverage.UnfoundPath] {
    let unfound = paths.flatMap(\.paths).filter { path in
      !isFound(path) && readCounts[path.entity] > 0 && text(of: path) != nil
    }
    let lines = Set(unfound.map { line(of: $0, in: entity(of: $0)) })
    /// The lines of topmost entities that some objects below contradict.
    var contradicted = Set<String>()
    var listed = Set<String>()
    var result: [ImportCoverage.UnfoundPath] = []
    for path in unfound {
      var entity = topmost(path)
      let common = line(of: path, in: entity)
      if !listed.contains(common), !contradicted.contains(common),
        !readFamily(of: entity).allSatisfy({ lines.contains(line(of: path, in: $0)) })
      {
        contradicted.insert(common)
      }
      var objectCount = readCounts[path.entity]
      if contradicted.contains(common) {
        entity = self.entity(of: path)
      } else {
        objectCount = readFamily(of: entity).reduce(0) { $0 + readCounts[$1.number] }
      }
      guard listed.insert(line(of: path, in: entity)).inserted else { continue }
      result.append(
        .init(
          entity: entity.name, property: name(of: path), path: text(of: path) ?? "",
          objectCount: objectCount))
    }
    return result
  }

  /// Returns the topmost entity that reads the property at the path too.
  private func topmost(_ path: Path) -> EntitySchema {
    let text = text(of: path)
    let own = entity(of: path)
    let holders = lineage(of: own).prefix { above in
      paths(of: path, in: above).contains { $0.description == text }
    }
    return holders.reduce(own) { $1 }
  }

  /// Returns an entity and those below it, as far as objects of them were read.
  private func readFamily(of entity: EntitySchema) -> [EntitySchema] {
    entity.family.filter { readCounts[$0] > 0 }.map { plan.entities[$0].schema }
  }

  /// Returns an entity and all those above it, beginning with the entity.
  private func lineage(of entity: EntitySchema) -> some Sequence<EntitySchema> {
    sequence(first: entity) { [plan] in $0.superentity.map { plan.entities[$0].schema } }
  }

  private func entity(of path: Path) -> EntitySchema { plan.entities[path.entity].schema }

  private func line(of path: Path, in entity: EntitySchema) -> String {
    "\(entity.number).\(name(of: path)): \(text(of: path) ?? "")"
  }

  private func name(of path: Path) -> String {
    let entity = self.entity(of: path)
    return path.isRelationship
      ? entity.relationships[path.number].name : entity.attributes[path.number].name
  }

  private func text(of path: Path) -> String? {
    let paths = paths(of: path, in: entity(of: path))
    return path.index < paths.count ? paths[path.index].description : nil
  }

  /// Returns the paths at which an entity reads a property; none if it has no such property.
  private func paths(of path: Path, in entity: EntitySchema) -> [JSONPath] {
    // Inherited properties come first, with the numbers that they have above.
    if path.isRelationship {
      guard path.number < entity.relationships.count else { return [] }
      let relationship = entity.relationships[path.number]
      return relationship.paths + relationship.identifierPaths
    }
    return path.number < entity.attributes.count ? entity.attributes[path.number].paths : []
  }
}

extension JSONMapping {
  /// Returns the properties to which the mapping gives paths, in entities that a closure selects.
  fileprivate func properties(ofEntities isWanted: (String) -> Bool) -> Set<String> {
    Set(rules.filter { !$0.isKeptOut && isWanted($0.entity) }.map(\.property))
  }
}
