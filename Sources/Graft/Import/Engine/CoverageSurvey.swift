// During the import only bytes are set: one for each position of the plan at which a value was
// found, and one for each object in which an unread key was found (DocumentPosition). At the end of
// the document they are turned into entities and paths.

/// Compares the paths of the model with those that a document has.
final class CoverageSurvey {
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
  /// The paths that the plan has, and whether a value was found at each.
  private var paths: [Path: Bool] = [:]
  private let places: PropertyPlaces

  init(
    _ plan: ImportPlan, _ options: ImportOptions, _ position: DocumentPosition,
    _ statistics: ImportStatistics
  ) {
    self.plan = plan
    self.options = options
    self.position = position
    readCounts = statistics.readCounts
    places = PropertyPlaces(plan)
    var outerSlots: Set<Int> = []
    for node in 0..<plan.values.count {
      let isFound = node == Int(plan.root) || position.hasFound(node)
      for index in plan.values[node].scalars.indices {
        switch plan.scalars[index] {
        case .outer(let slot, _): if isFound { outerSlots.insert(Int(slot)) }
        case .captured: break
        case .property(let action):
          guard plan.properties[Int(action.property)].entity >= 0 else { break }
          let path = Path(property: Int(action.property), pathIndex: Int(action.pathIndex))
          if isFound || paths[path] == nil { paths[path] = isFound }
        }
      }
    }
    for index in 0..<plan.objectActions.count {
      let action = plan.objectActions[index]
      guard case .outer(let number, _) = action.origin else { continue }
      let slot = Int(number)
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
    let found = Set(paths.lazy.filter(\.value).map(\.key.property))
    let pathsByProperty = Dictionary(grouping: paths.keys, by: \.property)
    let withUnreadKeys = options.unknownKeys == .skip ? entitiesWithUnreadKeys() : []
    for (number, properties) in propertiesByEntity.sortedByKey()
    where readCounts[number] > 0 {
      let entity = plan.entities[number].schema
      let own = properties.filter { !isIdentity($0, of: entity) }
      if withUnreadKeys.contains(number), !own.isEmpty, found.isDisjoint(with: own) {
        notices.append(
          notice(
            "no path of \(entity.name) but its identity", own.flatMap { pathsByProperty[$0] ?? [] },
            entity))
      } else if let names = mapped.first(where: { applies($0.key, to: entity) })?.value {
        let ofMapping = properties.filter { names.contains(plan.properties[$0].name) }
        if !ofMapping.isEmpty, found.isDisjoint(with: ofMapping) {
          notices.append(
            notice(
              "no path that the mapping gives to \(entity.name)",
              ofMapping.flatMap { pathsByProperty[$0] ?? [] }, entity))
        }
      }
    }
    return notices
  }

  private func notice(
    _ subject: String, _ unfound: [Path], _ entity: EntitySchema
  ) -> ImportError {
    let all = sorted(unfound).compactMap(pathText)
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
    places.entity(named: name)?.family.contains(entity.number) ?? false
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

  /// Returns the paths and entities that were not found.
  func coverage() -> ImportCoverage {
    var coverage = ImportCoverage()
    let unfound = sorted(paths.keys.filter { paths[$0] == false }).compactMap { unfoundPath($0) }
    let names = Set(unfound.map(PathName.init))
    var commonPaths: [PathName: ImportCoverage.UnfoundPath?] = [:]
    var listed: Set<ImportCoverage.UnfoundPath> = []
    for path in unfound {
      let name = topmost(path)
      let common = commonPaths[name] ?? commonPath(name, like: path, among: names)
      commonPaths[name] = .some(common)
      if listed.insert(common ?? path).inserted { coverage.unfoundPaths.append(common ?? path) }
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

  /// A path as it is reported.
  private struct PathName: Hashable {
    var entity: String
    var property: String
    var path: String

    init(_ path: ImportCoverage.UnfoundPath) {
      entity = path.entity
      property = path.property
      self.path = path.path
    }
  }

  /// Returns the path under the name of the topmost entity that has it.
  private func topmost(_ path: ImportCoverage.UnfoundPath) -> PathName {
    var name = PathName(path)
    guard var top = places.entity(named: path.entity) else { return name }
    while let above = top.superentity.map({ plan.entities[$0].schema }),
      places.paths(of: path.property, in: above).contains(path.path)
    {
      top = above
    }
    name.entity = top.name
    return name
  }

  /// Returns the path of the topmost entity that has it, unless an object of that entity or below has a value there.
  private func commonPath(
    _ name: PathName, like path: ImportCoverage.UnfoundPath, among unfound: Set<PathName>
  ) -> ImportCoverage.UnfoundPath? {
    guard let top = places.entity(named: name.entity) else { return nil }
    let family = top.family.map { plan.entities[$0].schema }.filter { readCounts[$0.number] > 0 }
    let isCommon = family.allSatisfy { member in
      var own = name
      own.entity = member.name
      return unfound.contains(own)
    }
    guard isCommon else { return nil }
    var common = path
    common.entity = name.entity
    common.objectCount = family.reduce(0) { $0 + readCounts[$1.number] }
    return common
  }

  /// Paths in the order of the model: by entity, attributes before relationships.
  private func sorted(_ paths: some Sequence<Path>) -> [Path] {
    paths.map { path in (path: path, order: order(of: path.property)) }
      .inOrder { ($0.order, $0.path.pathIndex) < ($1.order, $1.path.pathIndex) }
      .map(\.path)
  }

  private func order(of property: Int) -> Int {
    let property = plan.properties[property]
    let number = places.number(of: property.name, in: plan.entities[property.entity].schema)
    return property.entity << 32 | number
  }

  private func pathText(_ path: Path) -> String? {
    let property = plan.properties[path.property]
    let paths = places.paths(of: property.name, in: plan.entities[property.entity].schema)
    return path.pathIndex < paths.count ? paths[path.pathIndex] : nil
  }
}

/// Finds entities, and where their properties are read from, by name.
private final class PropertyPlaces {
  private struct Place {
    /// The number among the entity's properties, attributes before relationships.
    var number: Int
    var paths: [String]
  }

  private let plan: ImportPlan
  private lazy var entities = Dictionary(
    plan.entities.map { ($0.schema.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
  private var places: [Int: [String: Place]] = [:]

  init(_ plan: ImportPlan) { self.plan = plan }

  func entity(named name: String) -> EntitySchema? { entities[name] }

  func number(of property: String, in entity: EntitySchema) -> Int {
    places(of: entity)[property]?.number ?? 0
  }

  func paths(of property: String, in entity: EntitySchema) -> [String] {
    places(of: entity)[property]?.paths ?? []
  }

  private func places(of entity: EntitySchema) -> [String: Place] {
    if let known = places[entity.number] { return known }
    let all =
      entity.attributes.map { ($0.name, $0.paths) }
      + entity.relationships.map { ($0.name, $0.paths + $0.identifierPaths) }
    var places: [String: Place] = [:]
    for (number, property) in all.enumerated() {
      places[property.0] = Place(number: number, paths: property.1.map(\.description))
    }
    self.places[entity.number] = places
    return places
  }
}

extension JSONMapping {
  /// The properties to which the mapping gives paths, by the name of the entity.
  fileprivate var propertiesByEntity: [String: Set<String>] {
    rules.reduce(into: [:]) { result, rule in
      if !rule.isKeptOut { result[rule.entity, default: []].insert(rule.property) }
    }
  }
}
