/// Checks the keys of a document one by one: on the way to a root always, elsewhere if an option asks for it.
///
/// - On the way to a root it remembers the keys, so that the error about a missing root can name
///   the nearest place and its keys.
/// - With `reportsCoverage` it counts keys that no property reads.
/// - With `unknownKeys` it reports or refuses keys that no property reads.
/// - It reports values that nothing reads because they are of another kind than the model's paths expect. Arrays on the
///   way to a property are always reported, and values in the place of a relationship's container. Others are reported
///   with these two options.
/// - With `refusesDuplicateKeys` it refuses a key that occurs twice in one object.
final class KeyWatcher: ImportPart {
  /// The keys of each open object, by depth, where duplicates are refused.
  private var keys: [Set<[UInt8]>] = []
  private var rootSearch = RootSearch()
  private var unreadKeys = UnreadKeys()
  /// The last container that nothing reads, until a value in it is found.
  private var unreadContainer: UnreadContainer?
  /// The known keys of the containers in which unknown ones were found, in order, by the container's number.
  private var knownKeys = [Int: [String]]()

  /// Checks a key of the innermost object.
  func watch(
    _ key: BorrowedBuffer<UInt8>, roots: [ImportStatistics.Root]
  ) throws(ImportStop) {
    let watch = position.container.pointee.watch
    if watch.contains(.leadsToRoot), !roots.allSatisfy(\.wasFound) { noteOnWayToRoot(key) }
    if watch.contains(.duplicate) {
      let depth = position.depth
      while keys.count <= depth { keys.append([]) }
      if !keys[depth].insert(Array(key)).inserted {
        let key = String(decoding: key, as: UTF8.self)
        try reject("the key \"\(key)\" occurs twice in one object; remove one of the two")
        return
      }
    }
    if watch.contains(.unknown), position.next < 0 {
      countUnread(Array(key), in: position.container.pointee, depth: position.depth)
      if options.unknownKeys != .skip { try noteUnknown(String(decoding: key, as: UTF8.self)) }
    }
  }

  // MARK: Values of another kind than the paths expect

  /// A container that nothing reads, until its first value.
  private struct UnreadContainer {
    var depth: Int
    var found: String
    var key: [UInt8]
    /// The container around it.
    var outer: ContainerNode
    var property: Int32
  }

  /// Notes that a container begins that is an array where only objects are read, or the reverse.
  ///
  /// - Parameters:
  ///   - property: The number of the property whose path leads on from there; -1 for none.
  ///   - isArray: Whether it is an array.
  func beginUnread(_ property: Int32, isArray: Bool) {
    unreadContainer = UnreadContainer(
      depth: position.depth + 1, found: isArray ? "an array" : "an object", key: currentKey,
      outer: position.container.pointee, property: property)
  }

  /// Lists the innermost container as unread, at the first value in it: an empty one has nothing to lose.
  func noteUnreadContainer() {
    guard let container = unreadContainer, container.depth == position.depth else { return }
    unreadContainer = nil
    let location = diagnostics.source.location(ofContainerAt: container.depth)
    diagnostics.elsewhere = .init(location: location, depth: container.depth)
    defer { diagnostics.elsewhere = nil }
    noteUnread(container.found, container.property, at: container.key)
    countUnread(
      container.key, found: container.found, in: container.outer, depth: container.depth - 1)
  }

  /// Lists a scalar as unread, where only objects or arrays are read.
  ///
  /// - Parameters:
  ///   - scalar: The scalar.
  ///   - property: The number of the relationship that reads members or elements there; -1 for none.
  func noteUnread(_ scalar: ScalarEvent, _ property: Int32) {
    noteUnread(scalar.described, property, at: nil)
    countUnread(
      currentKey, found: scalar.kindWithArticle, in: position.container.pointee,
      depth: position.depth)
  }

  /// The key of the current value; `[*]` in an array.
  private var currentKey: [UInt8] {
    diagnostics.source.currentKey.map(Array.init) ?? Array("[*]".utf8)
  }

  private func noteUnread(_ found: String, _ property: Int32, at containerKey: [UInt8]?) {
    guard !position.isOnlyMentioning else { return }
    if property >= 0 {
      diagnostics.noteNotice {
        unread(found, by: plan.properties[Int(property)], at: containerKey)
      }
    } else if options.unknownKeys != .skip {
      diagnostics.noteNotice { error("no property\(owner) reads \(found) here") }
    }
  }

  /// Returns the notice of a value through which a path leads nowhere.
  private func unread(
    _ found: String, by property: PropertyPlan, at containerKey: [UInt8]?
  ) -> ImportError {
    let entity = plan.entities[property.entity].schema
    let relationship =
      property.destination < 0 ? nil : entity.relationships[property.number]
    let paths =
      relationship.map { $0.paths + $0.identifierPaths } ?? entity.attributes[property.number].paths
    let path = paths.first ?? JSONPath([])
    let isToMany = relationship?.isToMany == true
    let remedy = containerKey.flatMap { Self.remedy(for: path, throughArrayAt: $0, isToMany) } ?? ""
    return diagnostics.error(
      .wrongType, entity: property.entityName, property: property.name, found: found,
      message:
        "\(property.entityName).\(property.name) reads \"\(path)\", which leads to nothing in \(found)"
        + remedy)
  }

  /// Returns the path that reads what is in an array, as the end of a message; nil if it is not known.
  private static func remedy(
    for path: JSONPath, throughArrayAt key: [UInt8], _ isToMany: Bool
  ) -> String? {
    let member = JSONPath.Step.member(String(decoding: key, as: UTF8.self))
    let wildcards = path.steps.filter(\.isWildcard)
    guard let place = path.steps.firstIndex(of: member).map({ $0 + 1 }), place < path.steps.count
    else { return nil }
    var changed = path
    if wildcards == [.eachMember], path.steps[place] == .eachMember {
      changed.steps[place] = .eachElement
      return "; \"\(path) | \(changed)\" reads both"
    }
    guard wildcards.isEmpty else { return nil }
    changed.steps.insert(isToMany ? .eachElement : .element(0), at: place)
    return "; \"\(changed)\" reads \(isToMany ? "each" : "the first") of its elements"
  }

  /// Leaves the innermost object.
  func leaveObject() {
    rootSearch.leave(depth: position.depth)
    if position.depth < keys.count { keys[position.depth] = [] }
  }

  /// The keys that no property read.
  var unread: (keys: [ImportCoverage.UnreadKey], count: Int) {
    (unreadKeys.list, unreadKeys.count)
  }

  private func countUnread(
    _ key: @autoclosure () -> [UInt8], found: String? = nil,
    in container: @autoclosure () -> ContainerNode, depth: Int
  ) {
    guard options.reportsCoverage, !position.isOnlyMentioning else { return }
    let key = key()
    let group = unreadKeys.group(of: Int(container().number)) { pathInObject(ofContainerAt: depth) }
    unreadKeys.count(key, found, in: group) {
      let name = String(decoding: key.prefix(UnreadKeys.keyLength), as: UTF8.self)
      return ImportCoverage.UnreadKey(
        path: diagnostics.path, key: name, found: found, entity: entityName, count: 0,
        location: diagnostics.location,
        nearest: found == nil ? nearestName(to: name, in: keysKnownHere()) : nil)
    }
  }

  /// Returns the entity of the innermost object and the path from there to a container, which is the same for all
  /// objects of an entity.
  private func pathInObject(ofContainerAt depth: Int) -> String {
    let start = Int(parsers.top.depth)
    let path = diagnostics.source.path(ofContainerAt: depth)
    let object = start > 0 ? diagnostics.source.path(ofContainerAt: start) : ""
    return "\(parsers.top.entity)" + path.dropFirst(object.count).replacing(/\[\d+\]/, with: "[*]")
  }

  /// Returns the keys that are known in the innermost container, in order.
  private func keysKnownHere() -> [String] {
    let container = position.container.pointee
    let number = Int(container.number)
    if let known = knownKeys[number] { return known }
    let known = container.keys.keys.sorted()
    knownKeys[number] = known
    return known
  }

  /// Reports or refuses a key that no property reads.
  private func noteUnknown(_ key: String) throws(ImportStop) {
    if options.unknownKeys == .error {
      // An issue that is only counted needs no suggestion.
      let isListed = diagnostics.issues.count < options.issueLimit
      return try reject(unknownMessage(key, suggesting: isListed))
    }
    guard !position.isOnlyMentioning else { return }
    diagnostics.noteNotice { error(unknownMessage(key, suggesting: true)) }
  }

  private func unknownMessage(_ key: String, suggesting: Bool) -> String {
    let near = suggesting ? suggestion(for: key, in: keysKnownHere()) : ""
    return "no property\(owner) reads the key \"\(key)\"\(near)"
  }

  /// The name of the innermost object's entity; nil outside all objects.
  private var entityName: String? {
    let number = Int(parsers.top.entity)
    return number < 0 ? nil : plan.entities[number].schema.name
  }

  /// The entity of the innermost object, as a part of a message.
  private var owner: String { entityName.map { " of \($0)" } ?? "" }

  private func reject(_ message: String) throws(ImportStop) {
    let error = error(message)
    if options.errorPolicy == .skipObject { parsers.skip(parsers.topIndex) }
    try diagnostics.leaveOut(error)
  }

  private func error(_ message: String) -> ImportError {
    diagnostics.error(.key, entity: entityName, message: message)
  }

  // MARK: Roots that are not found

  private func noteOnWayToRoot(_ key: BorrowedBuffer<UInt8>) {
    let depth = position.depth
    let source = diagnostics.source
    rootSearch.note(String(decoding: key, as: UTF8.self), depth: depth) {
      RootSearch.Place(
        path: source.path(ofContainerAt: depth), location: source.location(ofContainerAt: depth))
    }
  }

  /// Returns the reason why a root was not found; nil if all were.
  func missingRoot(_ roots: [ImportStatistics.Root]) -> ImportError? {
    guard let number = roots.firstIndex(where: { !$0.wasFound }) else { return nil }
    let root = plan.roots[number]
    let (place, missing) = rootSearch.nearest(to: root.path)
    let rootPath = root.path.description.shortenedPath
    var message = "the root \"\(rootPath)\" of \(root.entity) leads nowhere: "
    if let place, case .member(let name) = missing, place.keys.contains(name) {
      message +=
        "the value of \"\(name)\" in \(place.path.shortenedPath) holds nothing that the rest of the path matches"
    } else if let place {
      let list = place.keys.map { "\"\($0)\"" }.joined(separator: ", ")
      let more =
        place.keyCount > place.keys.count ? " and \(place.keyCount - place.keys.count) more" : ""
      message += "\(place.path.shortenedPath) has \(list)\(more)"
      if case .member(let name) = missing { message += suggestion(for: name, in: place.keys) }
    } else {
      message += "the document is not an object with keys"
    }
    return ImportError(
      kind: .rootNotFound,
      location: place?.location ?? SourceLocation(offset: 0, line: 1, column: 1),
      path: place?.path ?? "$", entity: root.entity, message: message)
  }
}

/// Unread keys, by the entity and the path in its objects at which they were found.
private struct UnreadKeys {
  /// The most bytes of a key that are listed.
  static let keyLength = 200

  /// The group of each container of the plan.
  private var groups = [Int: Int]()
  private var groupNumbers = [String: Int]()
  /// The numbers of keys by their groups and texts.
  private var numbers = [String: Int]()
  private var keys: [ImportCoverage.UnreadKey] = []
  private(set) var count = 0

  /// Returns the number of the group of a container of the plan.
  mutating func group(of container: Int, name: () -> String) -> Int {
    if let group = groups[container] { return group }
    let name = name()
    let group = groupNumbers[name] ?? groupNumbers.count
    groupNumbers[name] = group
    groups[container] = group
    return group
  }

  mutating func count(
    _ key: [UInt8], _ found: String?, in group: Int, make: () -> ImportCoverage.UnreadKey
  ) {
    count += 1
    let place =
      "\(group) \(found ?? "") \(String(decoding: key.prefix(Self.keyLength), as: UTF8.self))"
    if let number = numbers[place] {
      keys[number].count += 1
    } else if keys.count < ImportCoverage.keyLimit {
      numbers[place] = keys.count
      keys.append(make())
      keys[keys.count - 1].count = 1
    }
  }

  /// The most frequent keys first; among equal ones, the first in the document.
  var list: [ImportCoverage.UnreadKey] {
    keys.inOrder { ($1.count, $0.location.offset) < ($0.count, $1.location.offset) }
  }
}

/// The objects on the way to the roots, and their keys, up to a limit.
struct RootSearch {
  private static let placeLimit = 64
  private static let keyLimit = 12

  struct Place {
    var path: String
    var location: SourceLocation
    var keys: [String] = []
    var keyCount = 0
  }

  private(set) var places: [Place] = []
  /// The place of each open container, by depth; nil for places beyond the limit.
  private var open: [Int?] = []

  /// Notes a key of the innermost container.
  mutating func note(_ key: String, depth: Int, place makePlace: () -> Place) {
    if open.count > depth { open.removeLast(open.count - depth) }
    while open.count < depth {
      let isListed = places.count < Self.placeLimit
      if isListed { places.append(makePlace()) }
      open.append(isListed ? places.count - 1 : nil)
    }
    guard let place = open.last ?? nil else { return }
    places[place].keyCount += 1
    if places[place].keys.count < Self.keyLimit { places[place].keys.append(key) }
  }

  /// Leaves the container of a depth.
  mutating func leave(depth: Int) {
    if open.count >= depth { open.removeLast(open.count - depth + 1) }
  }

  /// Returns the deepest place that was reached on a path, and the step that was not found there.
  func nearest(to path: JSONPath) -> (place: Place?, missing: JSONPath.Step?) {
    for count in path.steps.indices.reversed() {
      let prefix = JSONPath(Array(path.steps[..<count])).description
      let place = count == 0 ? "$" : prefix.hasPrefix("[") ? "$\(prefix)" : "$.\(prefix)"
      if let found = places.first(where: { $0.path == place }) { return (found, path.steps[count]) }
    }
    return (nil, path.steps.first)
  }
}
