// When a root's path leads nowhere, the error names the nearest place that was reached and the keys
// that stand there. Only containers that lie on the way to a root are noted, and only so many of
// them and of their keys.

/// The names met on the way to the roots.
struct RootTrail {
  private static let placeLimit = 64
  private static let keyLimit = 12

  struct Place {
    var path: String
    var location: SourceLocation
    var keys: [String] = []
    var keyCount = 0
  }

  /// The objects on the way.
  private(set) var places: [Place] = []
  /// The place of each open container, by depth; nil for those beyond the limit.
  private var open: [Int?] = []

  /// Notes a key of the innermost container.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - depth: How many containers are open.
  ///   - makePlace: Makes the container's entry.
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

  /// Leaves the innermost container.
  mutating func leave(depth: Int) {
    if open.count >= depth { open.removeLast(open.count - depth + 1) }
  }

  /// The deepest place on a path that was reached, and the step that led no further.
  func nearest(to path: JSONPath) -> (place: Place?, missing: JSONPath.Step?) {
    for count in path.steps.indices.reversed() {
      let prefix = JSONPath(Array(path.steps[..<count])).description
      let place = count == 0 ? "$" : prefix.hasPrefix("[") ? "$\(prefix)" : "$.\(prefix)"
      if let found = places.first(where: { $0.path == place }) { return (found, path.steps[count]) }
    }
    return (nil, path.steps.first)
  }
}

extension ImportMachine {
  /// Notes a key on the way to a root.
  func noteOnTrail(_ text: UnsafePointer<UInt8>, _ count: Int) {
    if tally.rootWasFound.allSatisfy({ $0 }) { return }
    let key = String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    let depth = state.pointee.levels.count
    tally.trail.note(key, depth: depth) {
      RootTrail.Place(
        path: place.path(ofContainerAt: depth), location: place.location(ofContainerAt: depth))
    }
  }

  /// Why a root was not found; nil where all were.
  func missingRoot() -> ImportError? {
    guard let number = tally.rootWasFound.firstIndex(of: false) else { return nil }
    let root = plan.roots[number]
    let (place, missing) = tally.trail.nearest(to: root.path)
    var message = "the root \"\(root.path)\" of \(root.entity) leads nowhere: "
    if let place, case .member(let name) = missing, place.keys.contains(name) {
      message +=
        "the value of \"\(name)\" in \(place.path) holds nothing that the path goes on with"
    } else if let place {
      let list = place.keys.map { "\"\($0)\"" }.joined(separator: ", ")
      let more =
        place.keyCount > place.keys.count ? " and \(place.keyCount - place.keys.count) more" : ""
      message += "\(place.path) has \(list)\(more)"
      if case .member(let name) = missing { message += suggestion(for: name, in: place.keys) }
    } else {
      message += "the document is no object that has it"
    }
    return ImportError(
      kind: .rootNotFound,
      location: place?.location ?? SourceLocation(offset: 0, line: 1, column: 1),
      path: place?.path ?? "$", entity: root.entity, message: message)
  }
}
