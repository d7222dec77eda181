import Foundation

/// One element of Xcode's model XML, by its XML attributes.
struct XcodeModelElement {
  let kind: String
  let values: [String: String]
  /// The place of the element in the file.
  let position: SourceLocation
  let log: IssueLog
  /// The entity and the property that the element is, or is in.
  var entity: String?
  var property: String?

  var name: String { values["name"] ?? "" }

  /// Reports XML attributes that Xcode's format does not have.
  func reportUnknownNames() {
    for message in XcodeModelFormat.unknownNames(values.keys, of: kind) { warning(message) }
  }

  func error(_ message: String) {
    log.error(message, entity: entity, property: property, at: position)
  }

  func warning(_ message: String) {
    log.warning(message, entity: entity, property: property, at: position)
  }

  /// Returns the entity that the element describes, still without properties.
  func describedEntity() -> EntityDescription {
    EntityDescription(
      name: name, superentity: values["parentEntity"],
      isAbstract: flag("isAbstract"), userInfo: formerName)
  }

  /// Returns the attribute that the element describes.
  func describedAttribute() -> AttributeDescription {
    let isTransient = flag("transient")
    let type = self.type(isTransient: isTransient)
    var attribute = AttributeDescription(
      name: name, type: type ?? .string, isOptional: flag("optional"))
    attribute.pattern = values["regularExpressionString"]
    attribute.isTransient = isTransient
    attribute.isIndexed = flag("indexed")
    attribute.userInfo = formerName
    attribute.transformerName = transformerName(type)
    guard let type else { return attribute }
    if type == .date {
      attribute.minimum = dateBound("minDateTimeInterval", "minValueString")
      attribute.maximum = dateBound("maxDateTimeInterval", "maxValueString")
      attribute.defaultValue = defaultDate()
    } else {
      attribute.minimum = values["minValueString"].map { .text($0) }
      attribute.maximum = values["maxValueString"].map { .text($0) }
      attribute.defaultValue = defaultValue(type)
      for key in ["defaultDateTimeInterval", "maxDateTimeInterval", "minDateTimeInterval"]
      where values[key] != nil {
        warning("\(key) has no effect on \(type.withArticle); remove it")
      }
    }
    return attribute
  }

  /// Returns the relationship that the element describes.
  func describedRelationship() -> RelationshipDescription {
    RelationshipDescription(
      name: name,
      destination: values["destinationEntity"] ?? "",
      inverse: values["inverseName"],
      isToMany: flag("toMany"),
      isOrdered: flag("ordered"),
      isOptional: flag("optional"),
      minimumCount: count("minCount"),
      maximumCount: count("maxCount"),
      deleteRule: deleteRule(),
      userInfo: formerName
    )
  }

  /// Xcode's renaming ID as an annotation.
  private var formerName: [String: String] {
    values["elementID"].map { [ModelAnnotations.renamingIdentifier: $0] } ?? [:]
  }

  private func flag(_ key: String) -> Bool {
    switch values[key] {
    case "YES": return true
    case "NO", nil: return false
    case let text?:
      error("\(key) is \"\(text)\", expected YES or NO")
      return false
    }
  }

  private func deleteRule() -> DeleteRule {
    guard let text = values["deletionRule"] else { return .nullify }
    if let rule = DeleteRule(rawValue: text) { return rule }
    let known = DeleteRule.allCases.map(\.rawValue)
    error(
      "unknown delete rule \"\(text)\", expected \(AnnotationReader.enumeration(of: known))"
        + suggestion(for: text, in: known))
    return .nullify
  }

  /// Returns the attribute's type; nil if the element names an unknown one.
  private func type(isTransient: Bool) -> AttributeType? {
    let known = AttributeType.allCases.map(\.rawValue)
    guard let text = values["attributeType"] else {
      // A transient attribute may have an undefined type, for which Xcode writes no attributeType.
      if isTransient { return .transformable }
      error("has no attributeType, expected one of \(known.joined(separator: ", "))")
      return nil
    }
    if let type = AttributeType(rawValue: text) { return type }
    if text == "Composite" {
      warning("a composite attribute keeps its value as JSON, like a Transformable")
      return .transformable
    }
    error(
      "unknown attribute type \"\(text)\", expected one of \(known.joined(separator: ", "))"
        + suggestion(for: text, in: known))
    return nil
  }

  private func count(_ key: String) -> Int {
    guard let text = values[key] else { return 0 }
    guard let count = Int(text), Int32(exactly: count) != nil else {
      error("\(key) is \"\(text)\", expected a whole number")
      return 0
    }
    return count
  }

  private func defaultValue(_ type: AttributeType) -> AttributeValue? {
    guard let text = values["defaultValueString"] else { return nil }
    if let value = type.value(from: text) { return value }
    if text.isEmpty { return nil }
    if let value = formerValue(text, type) {
      warning(
        "the default value \"\(text)\" is no \(type.rawValue); as in Core Data it is \(value.shortText)"
      )
      return value
    }
    error("the default value \"\(text)\" is no \(type.rawValue); change it or the type")
    return nil
  }

  /// Returns what Core Data reads in a number or a YES or NO that an attribute of another type had as its default.
  ///
  /// Xcode leaves the text in the file when the type is changed.
  private func formerValue(_ text: String, _ type: AttributeType) -> AttributeValue? {
    let isBoolean = ["YES", "NO"].contains(text)
    guard isBoolean || AttributeType.decimal(text) != nil,
      let number = isBoolean ? 0 : Double(text),
      let integer = Int64(exactly: number.rounded(.towardZero))
    else { return nil }
    switch type {
    case .boolean: return .boolean(integer != 0)
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      return type.value(from: "\(integer)")
    case .string, .date, .binary, .uuid, .uri, .transformable: return nil
    }
  }

  // Xcode writes a date as an interval; some versions also write it as text.

  private func defaultDate() -> AttributeValue? {
    if let date = date("defaultDateTimeInterval") { return .date(date) }
    guard let text = values["defaultValueString"], !text.isEmpty,
      values["defaultDateTimeInterval"] == nil
    else {
      return nil
    }
    if let value = AttributeType.date.value(from: text) { return value }
    warning(
      "the default value \"\(text)\" is not read; give defaultDateTimeInterval, in seconds since "
        + "2001-01-01T00:00:00Z")
    return nil
  }

  private func dateBound(_ key: String, _ textKey: String) -> AttributeBound? {
    date(key).map { .value(.date($0)) } ?? values[textKey].map { .text($0) }
  }

  /// Returns a date that is written as seconds since the start of 2001.
  private func date(_ key: String) -> Date? {
    guard let text = values[key] else { return nil }
    guard let seconds = Double(text), abs(seconds) < 1e12 else {
      error("\(key) is \"\(text)\", expected seconds since 2001-01-01T00:00:00Z")
      return nil
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Returns the named transformer, unless it is one of Foundation's archiving transformers,
  /// which do not handle JSON.
  private func transformerName(_ type: AttributeType?) -> String? {
    guard let name = values["valueTransformerName"], !name.isEmpty else { return nil }
    guard type == .transformable else {
      if let type {
        warning(
          "valueTransformerName has no effect on \(type.withArticle); annotate it with "
            + "JSONTransformerName, or remove it")
      }
      return nil
    }
    let archivers = [
      "NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData", "NSUnarchiveFromData",
    ]
    return archivers.contains { name.hasPrefix($0) } ? nil : name
  }
}

// Xcode's model XML has no published grammar. These tables list all names that the model editors of
// Xcode 4 to 26 write, also the ones that Graft does not read. A name that is not in the tables
// is a misspelling.

/// The names that Xcode's model XML has.
enum XcodeModelFormat {
  /// The elements that may occur directly in each element that is read.
  static let children: [String: [String]] = [
    "model": [
      "entity", "compositeAttribute", "composite", "configuration", "fetchRequest", "elements",
    ],
    "entity": [
      "attribute", "relationship", "fetchedProperty", "fetchIndex", "compoundIndexes",
      "uniquenessConstraints", "userInfo",
    ],
    "attribute": ["userInfo"],
    "relationship": ["userInfo"],
    "fetchIndex": ["fetchIndexElement"],
    "userInfo": ["entry"],
  ]

  /// The XML attributes of the elements that describe data.
  static let names: [String: Set<String>] = [
    "entity": everyElement.union([
      "codeGenerationType", "coreSpotlightDisplayNameExpression", "isAbstract", "parentEntity",
      "representedClassName",
    ]),
    "attribute": property.union([
      "allowsCloudEncryption", "allowsExternalBinaryDataStorage", "attributeType",
      "customClassName", "defaultDateTimeInterval", "defaultValueString", "derivationExpression",
      "derived", "fileBackedFuture", "maxDateTimeInterval", "maxValueString",
      "minDateTimeInterval", "minValueString", "preserveAfterDeletion",
      "regularExpressionString", "usesScalarValueType", "valueTransformerName",
    ]),
    "relationship": property.union([
      "deletionRule", "destinationEntity", "inverseEntity", "inverseName", "maxCount", "minCount",
      "ordered", "toMany",
    ]),
    "entry": ["key", "value"],
  ]

  private static let everyElement: Set<String> = [
    "elementID", "name", "renamingIdentifier", "syncable", "versionHashModifier",
  ]

  private static let property = everyElement.union([
    "indexed", "optional", "spotlightIndexingEnabled", "storedInTruthFile", "transient",
  ])

  /// Returns the reason why an element is not read where it is; nil if it may be there.
  static func misplacement(of element: String, in parent: String) -> String? {
    let known = children[parent] ?? []
    guard !known.contains(element) else { return nil }
    let homes = children.filter { $0.value.contains(element) }.keys.sorted()
    guard homes.isEmpty else {
      return "<\(element)> is skipped: it belongs in <\(homes.joined(separator: "> or <"))>, "
        + "found in <\(parent)>"
    }
    let near = suggestion(for: element, in: known)
    let remedy =
      near.isEmpty && !known.isEmpty ? "; known here: " + known.joined(separator: ", ") : near
    return "the unknown element <\(element)> is skipped" + remedy
  }

  /// Returns a message for each unknown name among an element's XML attributes.
  static func unknownNames(_ names: some Sequence<String>, of element: String) -> [String] {
    guard let known = Self.names[element] else { return [] }
    return names.filter { !known.contains($0) }.sorted().map { name in
      let near = meant(by: name, in: known.sorted())
      let remedy =
        if !near.isEmpty {
          near
        } else if DialectNames.isKnown(name) {
          "; it is an annotation: write it as <entry key=\"\(name)\" value=\"…\"/> in <userInfo>"
        } else {
          "; remove it, or write it as an <entry> in <userInfo>"
        }
      return "the unknown XML attribute \"\(name)\" is not read" + remedy
    }
  }

  /// Returns the known name that is spelt almost like another, or begins like it: `defaultValue` is
  /// meant for `defaultValueString`.
  private static func meant(by name: String, in known: [String]) -> String {
    let near = suggestion(for: name, in: known)
    guard near.isEmpty, let longer = known.first(where: { $0.hasPrefix(name) }) else { return near }
    return ", did you mean \"\(longer)\"?"
  }
}
