import Foundation

/// One element of Xcode's model XML, by its XML attributes.
struct XcodeModelElement {
  /// The errors and warnings about an element.
  struct Findings {
    var errors: [String] = []
    var warnings: [String] = []
  }

  let kind: String
  let values: [String: String]

  var name: String { values["name"] ?? "" }

  /// The findings about the names that the element has.
  var nameFindings: Findings {
    Findings(warnings: XcodeModelFormat.unknownNames(values.keys, of: kind))
  }

  /// Returns the entity that the element describes, still without properties.
  func entity(_ findings: inout Findings) -> EntityDescription {
    EntityDescription(
      name: name, superentity: values["parentEntity"],
      isAbstract: flag("isAbstract", &findings), userInfo: formerName)
  }

  /// Returns the attribute that the element describes.
  func attribute(_ findings: inout Findings) -> AttributeDescription {
    let isTransient = flag("transient", &findings)
    let type = self.type(isTransient: isTransient, &findings)
    var attribute = AttributeDescription(
      name: name, type: type ?? .string, isOptional: flag("optional", &findings))
    attribute.pattern = values["regularExpressionString"]
    attribute.isTransient = isTransient
    attribute.isIndexed = flag("indexed", &findings)
    attribute.userInfo = formerName
    attribute.transformerName = transformerName(type, &findings)
    guard let type else { return attribute }
    if type == .date {
      attribute.minimum = dateBound("minDateTimeInterval", "minValueString", &findings)
      attribute.maximum = dateBound("maxDateTimeInterval", "maxValueString", &findings)
      attribute.defaultValue = defaultDate(&findings)
    } else {
      attribute.minimum = values["minValueString"].map { .text($0) }
      attribute.maximum = values["maxValueString"].map { .text($0) }
      attribute.defaultValue = defaultValue(type, &findings)
      for key in ["defaultDateTimeInterval", "maxDateTimeInterval", "minDateTimeInterval"]
      where values[key] != nil {
        findings.warnings.append("\(key) has no effect on \(type.withArticle); remove it")
      }
    }
    return attribute
  }

  /// Returns the relationship that the element describes.
  func relationship(_ findings: inout Findings) -> RelationshipDescription {
    RelationshipDescription(
      name: name,
      destination: values["destinationEntity"] ?? "",
      inverse: values["inverseName"],
      isToMany: flag("toMany", &findings),
      isOrdered: flag("ordered", &findings),
      isOptional: flag("optional", &findings),
      minimumCount: count("minCount", &findings),
      maximumCount: count("maxCount", &findings),
      deleteRule: deleteRule(&findings),
      userInfo: formerName
    )
  }

  /// Xcode's renaming ID as an annotation.
  private var formerName: [String: String] {
    values["elementID"].map { [ModelAnnotations.renamingIdentifier: $0] } ?? [:]
  }

  private func flag(_ key: String, _ findings: inout Findings) -> Bool {
    switch values[key] {
    case "YES": return true
    case "NO", nil: return false
    case let text?:
      findings.errors.append("\(key) is \"\(text)\", expected YES or NO")
      return false
    }
  }

  private func deleteRule(_ findings: inout Findings) -> DeleteRule {
    guard let text = values["deletionRule"] else { return .nullify }
    if let rule = DeleteRule(rawValue: text) { return rule }
    let known = DeleteRule.allCases.map(\.rawValue)
    findings.errors.append(
      "unknown delete rule \"\(text)\", expected \(AnnotationReader.enumeration(of: known))"
        + suggestion(for: text, in: known))
    return .nullify
  }

  /// Returns the attribute's type; nil if the element names an unknown one.
  private func type(isTransient: Bool, _ findings: inout Findings) -> AttributeType? {
    let known = AttributeType.allCases.map(\.rawValue)
    guard let text = values["attributeType"] else {
      // A transient attribute may have an undefined type, for which Xcode writes no attributeType.
      if isTransient { return .transformable }
      findings.errors.append(
        "has no attributeType, expected one of \(known.joined(separator: ", "))")
      return nil
    }
    if let type = AttributeType(rawValue: text) { return type }
    if text == "Composite" {
      findings.warnings.append(
        "a composite attribute keeps its value as JSON, like a Transformable")
      return .transformable
    }
    findings.errors.append(
      "unknown attribute type \"\(text)\", expected one of \(known.joined(separator: ", "))"
        + suggestion(for: text, in: known))
    return nil
  }

  private func count(_ key: String, _ findings: inout Findings) -> Int {
    guard let text = values[key] else { return 0 }
    guard let count = Int(text), Int32(exactly: count) != nil else {
      findings.errors.append("\(key) is \"\(text)\", expected a whole number")
      return 0
    }
    return count
  }

  private func defaultValue(
    _ type: AttributeType, _ findings: inout Findings
  ) -> AttributeValue? {
    guard let text = values["defaultValueString"] else { return nil }
    if let value = type.value(from: text) { return value }
    if text.isEmpty { return nil }
    if let value = formerValue(text, type) {
      findings.warnings.append(
        "the default value \"\(text)\" is no \(type.rawValue); as in Core Data it is \(value.shortText)"
      )
      return value
    }
    findings.errors.append(
      "the default value \"\(text)\" is no \(type.rawValue); change it or the type")
    return nil
  }

  /// Returns what Core Data reads in a number or a YES or NO that an attribute of another type had as its default.
  ///
  /// Xcode leaves the text in the file when the type is changed.
  private func formerValue(_ text: String, _ type: AttributeType) -> AttributeValue? {
    let number: Double? = ["YES", "NO"].contains(text) ? 0 : Double(text)
    guard let number, let integer = Int64(exactly: number.rounded(.towardZero)) else { return nil }
    switch type {
    case .boolean: return .boolean(integer != 0)
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      return type.value(from: "\(integer)")
    case .string, .date, .binary, .uuid, .uri, .transformable: return nil
    }
  }

  // Xcode writes a date as an interval; some versions also write it as text.

  private func defaultDate(_ findings: inout Findings) -> AttributeValue? {
    if let date = date("defaultDateTimeInterval", &findings) { return .date(date) }
    guard let text = values["defaultValueString"], !text.isEmpty,
      values["defaultDateTimeInterval"] == nil
    else {
      return nil
    }
    if let value = AttributeType.date.value(from: text) { return value }
    findings.warnings.append(
      "the default value \"\(text)\" is not read; give defaultDateTimeInterval, in seconds since "
        + "2001-01-01T00:00:00Z")
    return nil
  }

  private func dateBound(
    _ key: String, _ textKey: String, _ findings: inout Findings
  ) -> AttributeBound? {
    date(key, &findings).map { .value(.date($0)) } ?? values[textKey].map { .text($0) }
  }

  /// Returns a date that is written as seconds since the start of 2001.
  private func date(_ key: String, _ findings: inout Findings) -> Date? {
    guard let text = values[key] else { return nil }
    guard let seconds = Double(text), abs(seconds) < 1e12 else {
      findings.errors.append("\(key) is \"\(text)\", expected seconds since 2001-01-01T00:00:00Z")
      return nil
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Returns the named transformer, unless it is one of Foundation's archiving transformers,
  /// which do not handle JSON.
  private func transformerName(_ type: AttributeType?, _ findings: inout Findings) -> String? {
    guard let name = values["valueTransformerName"], !name.isEmpty else { return nil }
    guard type == .transformable else {
      if let type {
        findings.warnings.append(
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
