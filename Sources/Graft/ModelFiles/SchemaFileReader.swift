package import Foundation

// A schema is read into a tree with places first, since it is small, and then into descriptions.
// Reading continues after an error, so that one run reports all of them, each with line and column:
//
//   schema.json:3:21: $.entities[0]: expected true or false under "isAbstract", found the string "YES"

/// Reads Graft's own schema; `GraphModel.init(contentsOf:dialect:extensions:)` documents its form.
package struct SchemaFileReader {
  /// The keys of a schema; `$schema` names a JSON Schema for editors and is not read.
  static let rootKeys = ["$schema", "dialect", "entities"]
  static let entityKeys = [
    "name", "superentity", "isAbstract", "attributes", "relationships", "identity", "discriminator",
    "discriminatorValue", "unknownEntity", "modifiedAttribute", "policies", "userInfo",
  ]
  static let attributeKeys = [
    "name", "type", "isOptional", "defaultValue", "minimum", "maximum", "pattern", "isTransient",
    "indexed", "transformerName", "paths", "dateFormat", "values", "unknownValue", "policies",
    "userInfo",
  ]
  static let relationshipKeys = [
    "name", "destination", "inverse", "isToMany", "isOrdered", "isOptional", "minimumCount",
    "maximumCount", "deleteRule", "paths", "relatedBy", "policies", "userInfo",
  ]

  private let log: IssueLog

  /// Reads a schema.
  package static func read(_ data: Data, file: String) throws(ModelError) -> ModelDocument {
    let root: LocatedJSON
    do {
      root = try LocatedJSON(parsing: Array(data))
    } catch {
      throw ModelError(
        "malformed JSON: \(error.path): \(error.message)", file: file, at: error.location,
        underlyingError: error)
    }
    let reader = SchemaFileReader(log: IssueLog(source: ModelSource(file: file)))
    let document = reader.document(of: root)
    guard reader.log.errors.isEmpty else { throw ModelError(reader.log.errors) }
    return document
  }

  private func document(of value: LocatedJSON) -> ModelDocument {
    let root = SchemaObject(value, path: "$", known: Self.rootKeys, log: log)
    let dialect = root.choice("dialect", of: Dialect.self) ?? .graft
    return ModelDocument(
      entities: root.objects("entities", known: Self.entityKeys).map { entity($0) },
      dialect: dialect, log: log)
  }

  private func entity(_ object: SchemaObject) -> EntityDescription {
    let name = object.requiredString("name")
    log.source?.note(object.location, entity: name)
    return EntityDescription(
      name: name,
      superentity: object.string("superentity"),
      isAbstract: object.flag("isAbstract") ?? false,
      attributes: object.objects("attributes", known: Self.attributeKeys).map {
        attribute($0, of: name)
      },
      relationships: object.objects("relationships", known: Self.relationshipKeys).map {
        relationship($0, of: name)
      },
      identity: object.strings("identity"),
      discriminator: object.paths("discriminator"),
      discriminatorValue: object.string("discriminatorValue"),
      unknownEntity: object.string("unknownEntity"),
      modifiedAttribute: object.string("modifiedAttribute"),
      missingIdentity: object.policies(on: .entity).missingIdentity,
      userInfo: object.annotations("userInfo")
    )
  }

  private func attribute(
    _ object: SchemaObject, of entity: String
  ) -> AttributeDescription {
    let name = object.requiredString("name")
    log.source?.note(object.location, entity: entity, property: name)
    if object.value("type") == nil {
      let types = AttributeType.allCases.map(\.rawValue)
      object.report("expected one of \(types.joined(separator: ", ")) under \"type\"")
    }
    let type = object.choice("type", of: AttributeType.self) ?? .transformable
    func read(_ text: String, _ key: String, _ words: String) -> AttributeValue? {
      let value = type.value(from: text)
      if value == nil { object.report("\(words) \"\(text)\" is no \(type.rawValue)", key) }
      return value
    }
    let text = object.scalar("defaultValue")
    let value = text.flatMap {
      $0.isEmpty ? type.value(from: $0) : read($0, "defaultValue", "the default value")
    }
    return AttributeDescription(
      name: name,
      type: type,
      isOptional: object.flag("isOptional") ?? true,
      defaultValue: value,
      minimum: object.scalar("minimum").map(AttributeBound.text),
      maximum: object.scalar("maximum").map(AttributeBound.text),
      pattern: object.string("pattern"),
      values: object.strings("values")?.compactMap { read($0, "values", "the value") },
      unknownValue: object.scalar("unknownValue").flatMap {
        read($0, "unknownValue", "the unknown value")
      },
      isTransient: object.flag("isTransient") ?? false,
      isIndexed: object.flag("indexed") ?? false,
      transformerName: object.string("transformerName"),
      paths: object.paths("paths"),
      dateFormat: object.string("dateFormat"),
      policies: object.policies(on: .attribute),
      userInfo: object.annotations("userInfo")
    )
  }

  private func relationship(
    _ object: SchemaObject, of entity: String
  ) -> RelationshipDescription {
    let name = object.requiredString("name")
    log.source?.note(object.location, entity: entity, property: name)
    return RelationshipDescription(
      name: name,
      destination: object.requiredString("destination"),
      inverse: object.string("inverse"),
      isToMany: object.flag("isToMany") ?? false,
      isOrdered: object.flag("isOrdered") ?? false,
      isOptional: object.flag("isOptional") ?? true,
      minimumCount: object.count("minimumCount"),
      maximumCount: object.count("maximumCount"),
      deleteRule: object.choice("deleteRule", of: DeleteRule.self) ?? .nullify,
      paths: object.paths("paths"),
      relatedBy: object.string("relatedBy"),
      policies: object.policies(on: .relationship),
      userInfo: object.annotations("userInfo")
    )
  }
}

/// An object of a schema: its members by key.
///
/// Wrong values are reported, and read as if they were absent.
private struct SchemaObject {
  let location: SourceLocation
  private let path: String
  /// The members by key; of a repeated key the first counts.
  ///
  /// A member that is null counts as absent.
  private var members = [String: LocatedJSON]()
  private let log: IssueLog

  /// Creates a view of a value that must be an object with known keys only.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - path: Its path in the schema, for messages.
  ///   - known: The keys that the object may have.
  ///   - log: Receives the errors.
  init(_ value: LocatedJSON, path: String, known: [String], log: IssueLog) {
    location = value.location
    self.path = path
    self.log = log
    guard case .object(let members) = value.content else {
      report("expected an object, found \(value.kind)")
      return
    }
    for member in members {
      if !known.contains(member.key) {
        let message = LocatedJSON.unknownKey(member.key, known: known)
        log.error("\(path): \(message)", at: member.location)
      } else if self.members[member.key] == nil {
        self.members[member.key] = member.value
      } else {
        log.warning(
          "\(path): the key \"\(member.key)\" is repeated, and only its first value counts; remove"
            + " one", at: member.location)
      }
    }
  }

  /// Reports a fault of the object, or of the value under one of its keys.
  func report(_ message: String, _ key: String? = nil) {
    let value = key.flatMap { members[$0] }
    log.error("\(path): \(message)", at: value?.location ?? location)
  }

  /// Returns the value under a key; nil if it is absent or null.
  func value(_ key: String) -> LocatedJSON? {
    guard let value = members[key] else { return nil }
    if case .null = value.content { return nil }
    return value
  }

  func string(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    guard case .string(let string) = value.content else { return mismatch(key, value, "a string") }
    return string
  }

  func requiredString(_ key: String) -> String {
    if value(key) == nil { report("expected a string under \"\(key)\"") }
    return string(key) ?? ""
  }

  /// Returns the text of a scalar under a key: bounds and defaults may be given as numbers.
  func scalar(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    return value.scalarText ?? mismatch(key, value, "a string, a number or a boolean")
  }

  func flag(_ key: String) -> Bool? {
    guard let value = value(key) else { return nil }
    guard case .boolean(let flag) = value.content else {
      return mismatch(key, value, "true or false")
    }
    return flag
  }

  func count(_ key: String) -> Int {
    guard let value = value(key) else { return 0 }
    guard case .number(let number) = value.content,
      let count = DecimalText(number)?.integer.flatMap(Int32.init(exactly:))
    else { return mismatch(key, value, "a whole number") ?? 0 }
    return Int(count)
  }

  /// Returns the value under a key, which must be one of a few words.
  func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ key: String, of type: Word.Type
  ) -> Word? {
    guard let string = string(key) else { return nil }
    if let word = Word(rawValue: string) { return word }
    reportChoice(key, string, Word.allCases.map(\.rawValue))
    return nil
  }

  /// Reports a string under a key that is none of a few words.
  func reportChoice(_ key: String, _ string: String, _ words: [String]) {
    report(
      "\(key) is \"\(string)\", expected \(AnnotationReader.enumeration(of: words))"
        + suggestion(for: string, in: words), key)
  }

  /// Returns the objects of the array under a key.
  func objects(_ key: String, known: [String]) -> [SchemaObject] {
    guard let value = value(key) else { return [] }
    guard case .array(let elements) = value.content else {
      return mismatch(key, value, "an array") ?? []
    }
    return elements.enumerated().map { index, element in
      SchemaObject(element, path: "\(path).\(key)[\(index)]", known: known, log: log)
    }
  }

  /// Returns the texts of the scalars of the array under a key.
  func strings(_ key: String) -> [String]? {
    guard let value = value(key) else { return nil }
    guard case .array(let elements) = value.content else { return mismatch(key, value, "an array") }
    return elements.compactMap { $0.scalarText ?? mismatch(key, $0, "strings") }
  }

  /// Returns the paths under a key, separated by vertical bars.
  func paths(_ key: String) -> JSONPaths? { string(key).map(JSONPaths.init(annotation:)) }

  /// Returns the policies of the object under `policies`, by the names of their annotations.
  func policies(on owner: AnnotationOwner) -> Policies {
    var policies = Policies()
    guard let value = value("policies") else { return policies }
    let known = PolicyAnnotation.all.filter { !$0.values(on: owner).isEmpty }
    let object = SchemaObject(
      value, path: "\(path).policies", known: known.map(\.name), log: log)
    for policy in known {
      guard let text = object.string(policy.name) else { continue }
      let words = policy.values(on: owner)
      if words.contains(text) {
        policy.set(text, in: &policies)
      } else {
        object.reportChoice(policy.name, text, words)
      }
    }
    return policies
  }

  /// Reads annotations from an object of scalars.
  func annotations(_ key: String) -> [String: String] {
    guard let value = value(key) else { return .init() }
    guard case .object(let members) = value.content else {
      return mismatch(key, value, "an object") ?? .init()
    }
    var annotations = [String: String]()
    for member in members {
      if annotations[member.key] != nil {
        log.warning(
          "\(path).\(key): the key \"\(member.key)\" is repeated, and only its first value counts;"
            + " remove one", at: member.location)
      } else if let text = member.value.scalarText {
        annotations[member.key] = text
      } else {
        log.error(
          "\(path).\(key): expected a string under \"\(member.key)\", found \(member.value.kind)",
          at: member.value.location)
      }
    }
    return annotations
  }

  private func mismatch<Value>(
    _ key: String, _ value: LocatedJSON, _ expectation: String
  ) -> Value? {
    report("expected \(expectation) under \"\(key)\", found \(value.kind)", key)
    return nil
  }
}

extension LocatedJSON {
  /// The text of a scalar, as model files write it; numbers in plain notation: `1.50e2` as `150`.
  fileprivate var scalarText: String? {
    switch content {
    case .string(let string): string
    case .number(let number):
      DecimalText(number)?.canonicalText.map { String(decoding: $0, as: UTF8.self) } ?? number
    case .boolean(let flag): flag ? "true" : "false"
    case .object, .array, .null: nil
    }
  }
}
