import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// The JSON Schema by which editors complete Graft's own model files says what the reader accepts.
@Suite struct `The JSON Schema of model files` {
  private let schema: JSONSchemaDocument

  init() throws {
    schema = try JSONSchemaDocument(
      contentsOf: SourceTree.root.appending(path: "Schemas/graft-model.schema.json"))
  }

  @Test func `has the keys that the reader knows, and no others`() throws {
    #expect(schema.keys("") == Set(SchemaFileReader.rootKeys))
    #expect(schema.keys("entity") == Set(SchemaFileReader.entityKeys))
    #expect(schema.keys("attribute") == Set(SchemaFileReader.attributeKeys))
    #expect(schema.keys("relationship") == Set(SchemaFileReader.relationshipKeys))
  }

  @Test func `has the words that the reader knows, and no others`() throws {
    #expect(schema.words("", "dialect") == Dialect.allCases.map(\.rawValue))
    #expect(schema.words("attribute", "type") == AttributeType.allCases.map(\.rawValue))
    #expect(schema.words("relationship", "deleteRule") == DeleteRule.allCases.map(\.rawValue))
  }

  @Test(arguments: [
    (AnnotationOwner.entity, "entityAnnotations"), (.attribute, "attributeAnnotations"),
    (.relationship, "relationshipAnnotations"),
  ])
  func `has the annotations of Graft's dialect with their values`(
    owner: AnnotationOwner, definition: String
  ) {
    let names = Dialect.graft.rules.names
    let known: [AnnotationOwner: Set<String>] = [
      .entity: names.entity, .attribute: names.attribute, .relationship: names.relationship,
    ]
    // Names of before are read by databases, in every dialect.
    #expect(
      schema.keys(definition) == known[owner]?.union([ModelAnnotations.renamingIdentifier]))
    for policy in PolicyAnnotation.all where !policy.values(on: owner).isEmpty {
      #expect(Set(schema.words(definition, policy.name)) == Set(policy.values(on: owner)))
    }
  }

  @Test func `accepts the models of the fixtures, which are read`() throws {
    let folder = SourceTree.root.appending(path: "Fixtures")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let files = paths.filter {
      $0.hasSuffix("/model.json") || $0.hasPrefix("schemas/") && $0.hasSuffix(".json")
    }
    #expect(files.count > 10)
    for file in files.map({ folder.appending(path: $0) }) {
      #expect(schema.faults(of: try Data(contentsOf: file)) == [])
      #expect(try GraphModel(contentsOf: file).warnings.isEmpty)
    }
  }

  @Test func `accepts the same model as the one that Xcode wrote`() throws {
    let folder = SourceTree.root.appending(path: "Fixtures/schemas")
    #expect(
      try GraphModel(contentsOf: folder.appending(path: "Timeline.json"))
        == GraphModel(contentsOf: folder.appending(path: "Timeline.xcdatamodeld")))
  }

  @Test func `accepts the models of the article, which read its documents`() throws {
    let blocks = Page.named("TheSchemaFile").texts("json")
    try #require(blocks.count == 6)
    for model in [blocks[0], blocks[2], blocks[4]] {
      #expect(schema.faults(of: Data(model.utf8)) == [], "\(model)")
    }
    for (model, document, root, lines) in [
      (blocks[0], blocks[1], ImportRoot("Product", at: "products"), 3),
      (blocks[2], blocks[3], ImportRoot("Media"), 2),
    ] {
      let file = try TemporaryFile(model, name: "model.json")
      let model = try GraphModel(contentsOf: file.url)
      #expect(model.warnings.isEmpty)
      let store = GraphStore(model: model)
      let report = try store.importJSON([root], from: Data(document.utf8))
      #expect(report.insertedCount == lines)
    }
  }

  @Test(arguments: [
    #"{"entites": []}"#, #"{"entities": {}}"#, #"{"entities": [1]}"#,
    #"{"dialect": "grot", "entities": [{"name": "A"}]}"#, #"{"entities": [{}]}"#,
    #"{"entities": [{"name": "A", "isAbstract": "YES"}]}"#,
    #"{"entities": [{"name": "A", "attributes": [{"name": "a", "type": "Strin"}]}]}"#,
    #"{"entities": [{"name": "A", "attributes": [{"name": "a"}]}]}"#,
    #"{"entities": [{"name": "A", "attributes": [{"name": "a", "type": "Date", "minimum": []}]}]}"#,
    #"{"entities": [{"name": "A", "userInfo": {"x": []}}]}"#,
    #"{"entities": [{"name": "A", "userInfo": {"JSONMissingIdentity": "skp"}}]}"#,
    #"{"entities": [{"name": "A", "relationships": [{"name": "r", "destination": "A", "maximumCount": 1.5}]}]}"#,
    #"{"entities": [{"name": "A", "relationships": [{"name": "r"}]}]}"#,
    #"{"entities": [{"name": ""}]}"#, #"{"entities": []}"#,
  ])
  func `refuses what the reader refuses`(model: String) throws {
    #expect(schema.faults(of: Data(model.utf8)) != [])
    let file = try TemporaryFile(model, name: "model.json")
    #expect(throws: ModelError.self) { try GraphModel(contentsOf: file.url) }
  }
}

/// A JSON Schema, as far as ours needs it: types, words, required and known members, elements,
/// references within the document, and the least number, length and count.
private struct JSONSchemaDocument {
  private let root: [String: Any]

  init(contentsOf url: URL) throws {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
    root = try #require(json as? [String: Any])
  }

  /// The definition of a name; the document's own for an empty one.
  private func definition(_ name: String) -> [String: Any] {
    guard !name.isEmpty else { return root }
    return (root["$defs"] as? [String: Any])?[name] as? [String: Any] ?? [:]
  }

  private func members(_ definition: [String: Any]) -> [String: Any] {
    definition["properties"] as? [String: Any] ?? [:]
  }

  func keys(_ name: String) -> Set<String> { Set(members(definition(name)).keys) }

  /// The strings that a member may be, without the null that means nothing.
  func words(_ name: String, _ key: String) -> [String] {
    let member = members(definition(name))[key] as? [String: Any]
    return (member?["enum"] as? [Any] ?? []).compactMap { $0 as? String }
  }

  /// Returns the places where a document does not fit, and why.
  func faults(of data: Data) -> [String] {
    guard let json = try? JSONSerialization.jsonObject(with: data) else { return ["no JSON"] }
    return faults(of: json, root, "$")
  }

  private func faults(of value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    if let reference = schema["$ref"] as? String {
      return faults(of: value, definition(String(reference.split(separator: "/").last ?? "")), path)
    }
    if let words = schema["enum"] as? [Any] {
      let isKnown = words.contains { ($0 as? NSObject) == (value as? NSObject) }
      return isKnown ? [] : ["\(path): \(value) is none of \(words)"]
    }
    let kinds = schema["type"] as? [String] ?? (schema["type"] as? String).map { [$0] } ?? []
    guard kinds.isEmpty || kinds.contains(where: { self.is(value, $0) }) else {
      return ["\(path): \(value) is no \(kinds)"]
    }
    var faults: [String] = []
    switch value {
    case let object as [String: Any]:
      for key in schema["required"] as? [String] ?? [] where object[key] == nil {
        faults.append("\(path): no \(key)")
      }
      for (key, value) in object {
        if let member = members(schema)[key] as? [String: Any] {
          faults += self.faults(of: value, member, "\(path).\(key)")
        } else if let other = schema["additionalProperties"] as? [String: Any] {
          faults += self.faults(of: value, other, "\(path).\(key)")
        } else if schema["additionalProperties"] as? Bool == false {
          faults.append("\(path): unknown key \(key)")
        }
      }
    case let array as [Any]:
      if array.count < schema["minItems"] as? Int ?? 0 { faults.append("\(path): too few") }
      guard let items = schema["items"] as? [String: Any] else { break }
      for (index, element) in array.enumerated() {
        faults += self.faults(of: element, items, "\(path)[\(index)]")
      }
    case let string as String:
      if string.count < schema["minLength"] as? Int ?? 0 { faults.append("\(path): too short") }
    case let number as NSNumber:
      if let least = schema["minimum"] as? NSNumber, number.doubleValue < least.doubleValue {
        faults.append("\(path): \(number) is below \(least)")
      }
    default: break
    }
    return faults
  }

  private func `is`(_ value: Any, _ kind: String) -> Bool {
    switch kind {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "null": value is NSNull
    case "boolean": isBoolean(value)
    case "number": value is NSNumber && !isBoolean(value)
    case "integer":
      !isBoolean(value)
        && (value as? NSNumber).map { $0.doubleValue.rounded() == $0.doubleValue } == true
    default: false
    }
  }

  /// Foundation bridges booleans to numbers, and keeps their kind.
  private func isBoolean(_ value: Any) -> Bool {
    (value as? NSNumber).map { String(cString: $0.objCType) == "c" || type(of: value) == Bool.self }
      ?? (value is Bool)
  }
}
