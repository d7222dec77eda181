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

  /// The known name that is spelt almost like another, or begins like it: `defaultValue` is meant for
  /// `defaultValueString`.
  private static func meant(by name: String, in known: [String]) -> String {
    let near = suggestion(for: name, in: known)
    guard near.isEmpty, let longer = known.first(where: { $0.hasPrefix(name) }) else { return near }
    return ", did you mean \"\(longer)\"?"
  }
}
