// Converts buffered objects to `JSONValue`, as transformers and mappers take them, and their results back. The conversions
// call themselves for each level of nesting, so values must not be nested deeper than `transformerDepth`.

extension ReplayBuffer {
  /// The greatest depth of objects that transformers and mappers take or return, and the greatest
  /// number of transformers in a row that may replace an object.
  static let transformerDepth = 1_000

  /// Returns the members of an object; of a key that occurs twice, the later value.
  ///
  /// - Parameter object: The event that starts the object; -1 for the object that the buffer is of.
  /// - Returns: The values by key.
  func members(of object: Int) -> [String: JSONValue] {
    var members = [String: JSONValue]()
    for key in keys(of: object) { members[string(of: key)] = value(at: key + 1) }
    return members
  }

  /// Returns the greatest number of containers that are open at once within an object.
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

  /// Returns the first key that occurs twice in an object or in one inside it.
  func repeatedKey(of object: Int) -> Int? {
    var names: Set<String> = []
    return ((object + 1)..<end(of: object)).first { index in
      let event = events[index]
      return event.kind == .key
        && !names.insert("\(event.parent)/\(string(of: index))").inserted
    }
  }

  /// Records members in the order of an object of another buffer, and then, by key, the members
  /// that this object lacks.
  ///
  /// - Returns: Nil if all are recorded, else why not.
  func record(_ members: [String: JSONValue], as object: Int, of original: ReplayBuffer) -> Fault? {
    var rest = members
    for key in original.keys(of: object) {
      let name = original.string(of: key)
      guard let value = rest.removeValue(forKey: name) else { continue }
      if let fault = record(name, value) { return fault }
    }
    for (name, value) in rest.sortedByKey() {
      if let fault = record(name, value) { return fault }
    }
    return nil
  }

  /// The reason why a transformer's result cannot be recorded.
  enum Fault {
    case limit
    case depth
    case number(String)
  }

  private func record(_ name: String, _ value: JSONValue) -> Fault? {
    record(.key, name) ? record(value) : .limit
  }

  private func record(_ value: JSONValue) -> Fault? {
    guard depth <= Self.transformerDepth else { return .depth }
    switch value {
    case .null: return record(.null) ? nil : .limit
    case .boolean(let flag): return record(flag) ? nil : .limit
    case .string(let text): return record(.string, text) ? nil : .limit
    case .number(let text):
      let isNumber = NumberScan(Array(text.utf8).span) != nil
      return !isNumber ? .number(text) : record(.number, text) ? nil : .limit
    case .array(let elements):
      guard record(.startArray) else { return .limit }
      for element in elements {
        if let fault = record(element) { return fault }
      }
      return record(.endArray) ? nil : .limit
    case .object(let members):
      guard record(.startObject) else { return .limit }
      for (name, value) in members.sortedByKey() {
        if let fault = record(name, value) { return fault }
      }
      return record(.endObject) ? nil : .limit
    }
  }

  private func record(_ kind: Kind, _ text: String) -> Bool {
    text.withBorrowedUTF8 { record(kind, $0) }
  }

  private func value(at index: Int) -> JSONValue {
    let event = events[index]
    switch event.kind {
    case .boolean: return .boolean(event.count != 0)
    case .number: return .number(string(of: index))
    case .string: return .string(string(of: index))
    case .startObject: return .object(members(of: index))
    case .startArray: return .array(elements(of: index).map { value(at: $0) })
    case .null, .key, .endObject, .endArray: return .null
    }
  }

  /// Returns the text of a key, a number or a string.
  private func string(of index: Int) -> String {
    String(decoding: text(events[index]), as: UTF8.self)
  }

  /// Returns the events of an object's keys.
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

  /// Returns the events that are, or start, an array's elements.
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
