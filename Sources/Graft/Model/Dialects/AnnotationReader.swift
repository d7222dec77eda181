/// Reads the annotations of one entity or property, and reports the values that it cannot read.
package struct AnnotationReader {
  let userInfo: [String: String]
  let entity: String
  let property: String?
  let log: IssueLog
  /// The words of messages for the parts of the model.
  var words: ModelVocabulary { log.words }

  /// Creates a reader of an entity's own annotations.
  init(_ entity: EntityDescription, log: IssueLog) {
    self.init(entity.userInfo, of: nil, entity, log: log)
  }

  /// Creates a reader of a property's annotations, which reports on the entity that declares it.
  init(
    _ userInfo: [String: String], of property: String?, _ entity: EntityDescription, log: IssueLog
  ) {
    self.userInfo = userInfo
    self.entity = entity.name
    self.property = property
    self.log = log
  }

  /// Returns the value of an annotation, without white space at its ends.
  func text(_ name: String) -> String? {
    userInfo[name].map(Self.trimmed)
  }

  /// Returns the value of the first annotation that is present, with its name.
  func first(_ names: [String]) -> (name: String, text: String)? {
    for name in names {
      if let text = text(name) { return (name, text) }
    }
    return nil
  }

  /// Returns the single path that an annotation names.
  func path(_ name: String) -> JSONPath? {
    text(name).flatMap { path(of: $0, named: name) }
  }

  /// Returns the paths that an annotation names, separated by vertical bars; a hyphen alone names none.
  func paths(_ name: String) -> PathNotes? {
    text(name).map { paths(in: $0, named: name) }
  }

  /// Returns the paths in a string, separated by vertical bars; a hyphen alone names none.
  func paths(in text: String, named name: String) -> PathNotes {
    guard text != "-" else { return PathNotes(origin: name) }
    let texts = Self.alternatives(of: text)
    guard texts.count <= ModelLimits.paths else {
      error(
        "\(words.name(of: name)) has \(texts.count) paths, expected at most \(ModelLimits.paths)")
      return PathNotes(origin: name)
    }
    let paths = texts.map(Self.trimmed).compactMap { text in
      warnOfDoubt(inPath: text, isAlone: texts.count == 1)
      return path(of: text, named: name)
    }
    return PathNotes(paths: paths, origin: name)
  }

  /// Reports a path that is read as a key which was hardly meant.
  private func warnOfDoubt(inPath text: String, isAlone: Bool) {
    if text == "-", !isAlone {
      warning("\"-\" beside other paths is a key of this name; remove it, or quote the key: ['-']")
    }
    // Few paths have a space, and a search with a pattern is slow.
    guard text.contains(where: \.isWhitespace) else { return }
    if !text.contains(/['"]/), text.contains(/\s\.|\.\s/) {
      warning(
        "the path \"\(text)\" has a space in a key beside its dot; remove it, or quote the key")
    }
  }

  /// Returns a property's paths from its description, or else from its annotation.
  func paths(of described: JSONPaths?, or annotated: PathNotes) -> PathNotes {
    described.map { paths(in: $0.annotation, named: "JSONKeyPath") } ?? annotated
  }

  /// Returns the format that an annotation names for the dates of an attribute.
  func dateFormat(_ text: String, of type: AttributeType) -> DateFormat {
    if type != .date {
      warning("JSONDateFormat has no effect on \(type.withArticle); remove it")
      return .automatic
    }
    return dateFormat(text)
  }

  /// Returns the format that a description names for the dates of an attribute.
  func dateFormat(described text: String, of type: AttributeType) -> DateFormat {
    if type != .date {
      mistake("a date format has no effect on \(words.article(type)); remove it")
      return .automatic
    }
    return dateFormat(text)
  }

  private func dateFormat(_ text: String) -> DateFormat {
    switch DateFormat.named(text) {
    case .success(let format):
      warnOfDoubt(in: format)
      return format
    case .failure(let fault):
      error("\(words.name(of: "JSONDateFormat")): \(fault)")
      return .pattern(text)
    }
  }

  /// Reports a date pattern that probably has another meaning than intended.
  func warnOfDoubt(in format: DateFormat) {
    guard case .pattern(let pattern) = format, let doubt = DatePatternDoubt(in: pattern) else {
      return
    }
    warning("the date pattern \"\(pattern)\" \(doubt)")
  }

  /// Returns the policies that Graft's annotations name; values that are not valid are reported.
  func policies(on owner: AnnotationOwner, isToMany: Bool = true) -> Policies {
    var policies = Policies()
    guard !userInfo.isEmpty else { return policies }
    for policy in PolicyAnnotation.all where !policy.values(on: owner).isEmpty {
      guard let value = text(policy.name), isValid(value, of: policy, on: owner, isToMany: isToMany)
      else { continue }
      policy.set(value, in: &policies)
    }
    return policies
  }

  /// Reports policies of a description that are not valid for its kind of property.
  func check(_ policies: Policies, on owner: AnnotationOwner, isToMany: Bool = true) {
    guard policies != Policies() else { return }
    for policy in PolicyAnnotation.all {
      guard let value = policy.value(in: policies) else { continue }
      _ = isValid(value, of: policy, on: owner, isToMany: isToMany)
    }
  }

  private func isValid(
    _ value: String, of policy: PolicyAnnotation, on owner: AnnotationOwner, isToMany: Bool
  ) -> Bool {
    let valid = policy.values(on: owner)
    guard !valid.isEmpty else {
      warning(
        "\(words.name(of: policy.name)) has no effect on \(owner.article) \(owner); remove it")
      return false
    }
    if !valid.contains(value) {
      error(
        "\(words.name(of: policy.name)) is \"\(value)\", expected " + Self.enumeration(of: valid),
        near: value,
        in: valid)
      return false
    }
    if policy.isForToMany, !isToMany {
      warning(
        "\(words.name(of: policy.name)) has no effect on a relationship to one; remove it")
    }
    return true
  }

  /// Returns the names in an annotation's value, separated by commas or white space.
  func list(_ name: String) -> [String]? {
    text(name)?.split { $0 == "," || $0.isWhitespace }.map(String.init)
  }

  /// Returns the value of an attribute's type that an annotation holds as text.
  func value(_ name: String, of type: AttributeType) -> AttributeValue? {
    text(name).flatMap { value($0, of: type, named: name) }
  }

  /// Returns the values of an attribute's type that an annotation holds as text, separated by vertical bars.
  func values(_ name: String, of type: AttributeType) -> [AttributeValue]? {
    text(name)?.split(separator: "|").compactMap {
      value(Self.trimmed($0), of: type, named: name)
    }
  }

  private func value(_ text: String, of type: AttributeType, named name: String) -> AttributeValue?
  {
    let value = type.value(from: text)
    if value == nil { error("\(name): \"\(text)\" is no \(type.rawValue)") }
    return value
  }

  @inline(never)
  func error(_ message: String, near text: String? = nil, in known: [String] = []) {
    guard !log.isFull else { return }
    log.error(
      message + (text.map { suggestion(for: $0, in: known) } ?? ""), entity: entity,
      property: property)
  }

  @inline(never)
  func warning(_ message: String) {
    log.warning(message, entity: entity, property: property)
  }

  @inline(never)
  func mistake(_ message: String) {
    log.mistake(message, entity: entity, property: property)
  }

  @inline(never)
  func path(of text: String, named name: String) -> JSONPath? {
    do {
      return try JSONPath(text)
    } catch {
      self.error("\(words.name(of: name)): \(error)")
      return nil
    }
  }

  package static func trimmed(_ text: some StringProtocol) -> String {
    var rest = Substring(text)
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }

  package static func enumeration(of words: [String], with conjunction: String = "or") -> String {
    guard words.count > 1, let last = words.last else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  /// Splits a value at its vertical bars, except at those inside quoted names and constants.
  private static func alternatives(of text: String) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var quote: Unicode.Scalar?
    var isEscaped = false
    var isBracketed = false
    /// Whether the part has had nothing but white space.
    var isAtStart = true
    for index in text.unicodeScalars.indices {
      let character = text.unicodeScalars[index]
      if let open = quote {
        if isEscaped {
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
        } else if character == open {
          quote = nil
        }
      } else if character == "'" || character == "\"", isBracketed || isAtStart {
        quote = character
      } else if character == "[" || character == "]" {
        isBracketed = character == "["
      } else if character == "|" {
        parts.append(text[start..<index])
        start = text.unicodeScalars.index(after: index)
        isBracketed = false
        isAtStart = true
        continue
      }
      isAtStart = isAtStart && character.properties.isWhitespace
    }
    return parts + [text[start...]]
  }
}
