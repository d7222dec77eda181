// During the import only bytes are set: one for each position of the plan at which a value was
// found, and one for each object in which an unread key was found (DocumentPosition). At the end of
// the document they are turned into entities and paths.

/// Finds out which paths of the model a document has.
struct CoverageSurvey {
  /// A path of a property.
  private struct Path: Hashable {
    /// The number of the property in the plan.
    var property: Int
    var pathIndex: Int
  }

  private let plan: ImportPlan
  private let options: ImportOptions
  private let position: DocumentPosition
  /// The number of objects read, by the number of the entity.
  private let readCounts: [Int]
  /// The paths that lead anywhere in the plan, and whether a value was found there.
  private var paths: [Path: Bool] = [:]

  init(
    _ plan: ImportPlan, _ options: ImportOptions, _ position: DocumentPosition,
    _ statistics: ImportStatistics
  ) {
    self.plan = plan
    self.options = options
    self.position = position
    readCounts = statistics.readCounts
    var outerSlots: Set<Int> = []
    for node in 0..<plan.values.count {
      let isFound = node == Int(plan.root) || position.hasFound(node)
      for index in plan.values[node].scalars.indices {
        let action = plan.scalars[index]
        if action.kind == .outer {
          if isFound { outerSlots.insert(Int(action.number)) }
          continue
        }
        guard plan.properties[Int(action.property)].entity >= 0 else { continue }
        let path = Path(property: Int(action.property), pathIndex: Int(action.pathIndex))
        if isFound || paths[path] == nil { paths[path] = isFound }
      }
    }
    for index in 0..<plan.scalars.count where plan.scalars[index].part == .outer {
      let action = plan.scalars[index]
      let slot = Int(action.origin)
      let isFound = outerSlots.contains(slot) || plan.outerPaths[slot].firstKey == nil
      let path = Path(property: Int(action.property), pathIndex: Int(action.pathIndex))
      if isFound || paths[path] == nil { paths[path] = isFound }
    }
  }

  /// The numbers of the properties of an entity that have paths in the plan.
  private var propertiesByEntity: [Int: Set<Int>] {
    Dictionary(grouping: Set(paths.keys.map(\.property))) { plan.properties[$0].entity }
      .mapValues { Set($0) }
  }

  // MARK: Notices that need no option

  /// Returns notices about entities, and about entities of the options' mapping, for which no
  /// object had any value.
  func notices() -> [ImportError] {
    var notices: [ImportError] = []
    let mapped = options.mapping?.propertiesByEntity ?? [:]
    // Reports of unknown keys are more exact than this notice.
    let withUnreadKeys = options.unknownKeys == .skip ? entitiesWithUnreadKeys() : []
    for (number, properties) in propertiesByEntity.sortedByKey()
    where readCounts[number] > 0 {
      let entity = plan.entities[number].schema
      let own = properties.filter { !isIdentity($0, of: entity) }
      if withUnreadKeys.contains(number), !own.isEmpty, !isAnyFound(of: own) {
        notices.append(notice("no path of \(entity.name) but its identity", own, entity))
      } else if let names = mapped.first(where: { applies($0.key, to: entity) })?.value {
        let ofMapping = properties.filter { names.contains(plan.properties[$0].name) }
        if !ofMapping.isEmpty, !isAnyFound(of: ofMapping) {
          notices.append(
            notice("no path that the mapping gives to \(entity.name)", ofMapping, entity))
        }
      }
    }
    return notices
  }

  private func notice(
    _ subject: String, _ properties: Set<Int>, _ entity: EntitySchema
  ) -> ImportError {
    let all = pathTexts(of: properties)
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
        + " nothing reads, which the report's coverage lists")
  }

  private func applies(_ name: String, to entity: EntitySchema) -> Bool {
    var current: EntitySchema? = entity
    while let candidate = current {
      if candidate.name == name { return true }
      current = candidate.superentity.map { plan.entities[$0].schema }
    }
    return false
  }

  private func isAnyFound(of properties: Set<Int>) -> Bool {
    paths.contains { properties.contains($0.key.property) && $0.value }
  }

  private func isIdentity(_ property: Int, of entity: EntitySchema) -> Bool {
    let name = plan.properties[property].name
    return entity.identity.contains { entity.attributes[$0].name == name }
  }

  /// Returns the entities that begin with an object in which an unread key was found.
  private func entitiesWithUnreadKeys() -> Set<Int> {
    var entities: Set<Int> = []
    for number in 0..<plan.containerCount where position.hasUnreadKey(number) {
      for index in plan.container(Int32(number)).pointee.handOffs.indices {
        entities.insert(Int(plan.handOffs[index].entity))
      }
    }
    return entities
  }

  // MARK: Coverage, if the options ask for it

  /// The paths and entities that were not found.
  func coverage() -> ImportCoverage {
    var coverage = ImportCoverage()
    let unfound = paths.keys.filter { paths[$0] == false }
      .inOrder {
        (order(of: $0.property), $0.pathIndex) < (order(of: $1.property), $1.pathIndex)
      }
      .compactMap { unfoundPath($0) }
    var listed: Set<ImportCoverage.UnfoundPath> = []
    for path in unfound {
      let common = commonPath(of: path, among: unfound) ?? path
      if listed.insert(common).inserted { coverage.unfoundPaths.append(common) }
    }
    coverage.unfoundEntities = propertiesByEntity.keys.sorted()
      .filter { !plan.entities[$0].schema.isAbstract }
      .filter { plan.entities[$0].schema.family.allSatisfy { readCounts[$0] == 0 } }
      .map { plan.entities[$0].schema.name }
    return coverage
  }

  private func unfoundPath(_ path: Path) -> ImportCoverage.UnfoundPath? {
    let property = plan.properties[path.property]
    guard readCounts[property.entity] > 0, let text = pathText(path) else { return nil }
    return ImportCoverage.UnfoundPath(
      entity: property.entityName, property: property.name, path: text,
      objectCount: readCounts[property.entity])
  }

  /// Returns a path as the path of the topmost entity that has it, if no object below that entity
  /// has it.
  private func commonPath(
    of path: ImportCoverage.UnfoundPath, among unfound: [ImportCoverage.UnfoundPath]
  ) -> ImportCoverage.UnfoundPath? {
    guard var top = plan.entities.first(where: { $0.schema.name == path.entity })?.schema else {
      return nil
    }
    while let above = top.superentity.map({ plan.entities[$0].schema }),
      above.reads(path.property, at: path.path)
    {
      top = above
    }
    let family = top.family.map { plan.entities[$0].schema }.filter { readCounts[$0.number] > 0 }
    let isCommon = family.allSatisfy { member in
      unfound.contains {
        $0.entity == member.name && $0.property == path.property && $0.path == path.path
      }
    }
    guard isCommon else { return nil }
    var common = path
    common.entity = top.name
    common.objectCount = family.reduce(0) { $0 + readCounts[$1.number] }
    return common
  }

  /// The place of a property in the model: entity, attributes before relationships, number.
  private func order(of property: Int) -> Int {
    let property = plan.properties[property]
    let entity = plan.entities[property.entity].schema
    let number =
      entity.attributes.firstIndex { $0.name == property.name }
      ?? entity.relationships.firstIndex { $0.name == property.name }
      .map { $0 + entity.attributes.count } ?? 0
    return property.entity << 32 | number
  }

  /// The paths of properties, in the order of the model.
  private func pathTexts(of properties: Set<Int>) -> [String] {
    paths.keys.filter { properties.contains($0.property) }
      .inOrder { (order(of: $0.property), $0.pathIndex) < (order(of: $1.property), $1.pathIndex) }
      .compactMap(pathText)
  }

  private func pathText(_ path: Path) -> String? {
    let property = plan.properties[path.property]
    let paths = plan.entities[property.entity].schema.paths(of: property.name)
    return path.pathIndex < paths.count ? "\(paths[path.pathIndex])" : nil
  }
}

extension EntitySchema {
  /// Returns the paths that a property is read from.
  fileprivate func paths(of property: String) -> [JSONPath] {
    if let attribute = attributes.first(where: { $0.name == property }) { return attribute.paths }
    guard let relationship = relationships.first(where: { $0.name == property }) else { return [] }
    return relationship.paths + relationship.identifierPaths
  }

  /// Whether a property is read from a path.
  fileprivate func reads(_ property: String, at path: String) -> Bool {
    paths(of: property).contains { $0.description == path }
  }
}

extension JSONMapping {
  /// The names of the properties to which it gives paths, by the names of entities.
  fileprivate var propertiesByEntity: [String: Set<String>] {
    rules.reduce(into: [:]) { result, rule in
      if !rule.isKeptOut { result[rule.entity, default: []].insert(rule.property) }
    }
  }
}
