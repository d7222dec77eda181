// Objects of a tape as the program's code takes them, and back. Both go as deep as the object, by
// calling themselves, which is why what comes here must be no deeper than `codeDepth`.

extension EventTape {
  /// The most containers inside each other that code is given, or may give back.
  static let codeDepth = 1_000

  /// The members of the object that begins with an event, or of that which the tape was begun for;
  /// of several of one name the last counts.
  func members(of object: Int) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    for key in keys(of: object) { members[name(of: key)] = value(at: key + 1) }
    return members
  }

  /// How many containers are open at once within an object.
  func depth(of object: Int) -> Int {
    var depth = 0
    var deepest = 0
    for index in (object + 1)..<end(of: object) {
      switch events[index].kind {
      case .startObject, .startArray: depth += 1
      case .endObject, .endArray: depth -= 1
      case .null, .boolean, .number, .string, .key: break
      }
      deepest = max(deepest, depth)
    }
    return deepest
  }

  /// The first name that stands twice in an object or in one inside it.
  func repeatedKey(of object: Int) -> Int? {
    struct Name: Hashable {
      var parent: Int
      var text: String
    }
    var names: Set<Name> = []
    return ((object + 1)..<end(of: object)).first { index in
      let event = events[index]
      return event.kind == .key
        && !names.insert(Name(parent: event.parent, text: name(of: index))).inserted
    }
  }

  /// Records members, those that an object of another tape has too in its order, others after them
  /// by name.
  ///
  /// - Returns: Nil where all are recorded, else why not.
  func record(_ members: [String: JSONValue], as object: Int, of original: EventTape) -> Fault? {
    var rest = members
    for key in original.keys(of: object) {
      let name = original.name(of: key)
      guard let value = rest.removeValue(forKey: name) else { continue }
      if let fault = record(name, value) { return fault }
    }
    for (name, value) in rest.sorted(by: { $0.key < $1.key }) {
      if let fault = record(name, value) { return fault }
    }
    return nil
  }

  /// Why a value of the program cannot be recorded.
  enum Fault {
    case limit
    case depth
    case number(String)
  }

  private func record(_ name: String, _ value: JSONValue) -> Fault? {
    record(.key, name) ? record(value) : .limit
  }

  private func record(_ value: JSONValue) -> Fault? {
    guard depth <= Self.codeDepth else { return .depth }
    switch value {
    case .null: return record(.null) ? nil : .limit
    case .boolean(let flag): return record(.boolean, nil, flag ? 1 : 0) ? nil : .limit
    case .string(let text): return record(.string, text) ? nil : .limit
    case .number(let text):
      let isNumber = Array(text.utf8).withUnsafeBufferPointer { NumberScan($0) != nil }
      return !isNumber ? .number(text) : record(.number, text) ? nil : .limit
    case .array(let elements):
      guard record(.startArray) else { return .limit }
      for element in elements {
        if let fault = record(element) { return fault }
      }
      return record(.endArray) ? nil : .limit
    case .object(let members):
      guard record(.startObject) else { return .limit }
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        if let fault = record(name, value) { return fault }
      }
      return record(.endObject) ? nil : .limit
    }
  }

  private func record(_ kind: Kind, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { record(kind, $0.baseAddress, $0.count) }
  }

  private func value(at index: Int) -> JSONValue {
    let event = events[index]
    switch event.kind {
    case .boolean: return .boolean(event.count != 0)
    case .number: return .number(name(of: index))
    case .string: return .string(name(of: index))
    case .startObject: return .object(members(of: index))
    case .startArray: return .array(elements(of: index).map { value(at: $0) })
    case .null, .key, .endObject, .endArray: return .null
    }
  }

  /// The text of a name, a number or a string.
  private func name(of index: Int) -> String {
    String(decoding: text(events[index]), as: UTF8.self)
  }

  /// The events that name an object's members.
  private func keys(of object: Int) -> [Int] {
    var keys: [Int] = []
    let end = end(of: object)
    var index = object + 1
    while index + 1 < end {
      keys.append(index)
      index = max(events[index + 1].end, index + 1) + 1
    }
    return keys
  }

  /// The events that are, or begin, an array's elements.
  private func elements(of array: Int) -> [Int] {
    var elements: [Int] = []
    var index = array + 1
    while index < events[array].end {
      elements.append(index)
      index = max(events[index].end, index) + 1
    }
    return elements
  }
}
