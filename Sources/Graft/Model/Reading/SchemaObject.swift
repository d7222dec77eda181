/// One object of a Graft schema, with its place, reading known keys and reporting what does not
/// fit.
struct SchemaObject {
  let path: String
  private let values: [String: SchemaValue]
  private let report: (String) -> Void

  /// Creates a view of a value that must be an object with known keys only.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - path: Its place in the schema, for messages.
  ///   - known: The keys that are read.
  ///   - report: Receives what does not fit.
  init(
    _ value: SchemaValue, at path: String, known: [String], report: @escaping (String) -> Void
  ) {
    self.path = path
    self.report = report
    guard case .object(let values) = value else {
      self.values = [:]
      report("\(path): expected an object, found \(value.kind)")
      return
    }
    self.values = values
    for key in values.keys.sorted() where !known.contains(key) {
      let near = suggestion(for: key, in: known)
      let remedy = near.isEmpty ? "; known here: \(known.joined(separator: ", "))" : near
      report("\(path): unknown key \"\(key)\"" + remedy)
    }
  }

  /// The value under a key; nil where it is absent or null.
  func value(_ key: String) -> SchemaValue? {
    if case .null? = values[key] { return nil }
    return values[key]
  }

  func text(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    guard case .string(let text) = value else { return mismatch(key, value, "a text") }
    return text
  }

  func requiredText(_ key: String) -> String {
    if let value = value(key), case .string = value { return text(key) ?? "" }
    report(
      "\(path): expected a text under \"\(key)\"" + (value(key).map { ", found \($0.kind)" } ?? ""))
    return ""
  }

  /// The text of a scalar under a key: bounds and defaults may be given as numbers.
  func scalar(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    return value.scalarText ?? mismatch(key, value, "a text, a number or a boolean")
  }

  func flag(_ key: String) -> Bool? {
    guard let value = value(key) else { return nil }
    guard case .boolean(let flag) = value else { return mismatch(key, value, "true or false") }
    return flag
  }

  func count(_ key: String) -> Int {
    guard let value = value(key) else { return 0 }
    guard case .integer(let number) = value, let count = Int32(exactly: number) else {
      return mismatch(key, value, "a whole number") ?? 0
    }
    return Int(count)
  }

  /// The value under a key that is one of a few words.
  func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ key: String, of type: Word.Type
  ) -> Word? {
    guard let text = text(key) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    report(
      "\(path): \(key) is \"\(text)\", expected \(AnnotationReader.enumeration(of: words))"
        + suggestion(for: text, in: words))
    return nil
  }

  func elements(_ key: String) -> [SchemaValue] {
    guard let value = value(key) else { return [] }
    guard case .array(let elements) = value else { return mismatch(key, value, "an array") ?? [] }
    return elements
  }

  /// Annotations: an object of scalars.
  func annotations(_ key: String) -> [String: String] {
    guard let value = value(key) else { return [:] }
    guard case .object(let entries) = value else { return mismatch(key, value, "an object") ?? [:] }
    var annotations: [String: String] = [:]
    for (name, entry) in entries {
      if let text = entry.scalarText {
        annotations[name] = text
      } else {
        report("\(path).\(key): expected a text under \"\(name)\", found \(entry.kind)")
      }
    }
    return annotations
  }

  private func mismatch<Value>(
    _ key: String, _ value: SchemaValue, _ expectation: String
  ) -> Value? {
    report("\(path): expected \(expectation) under \"\(key)\", found \(value.kind)")
    return nil
  }
}
