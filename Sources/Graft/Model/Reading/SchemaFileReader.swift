import Foundation

/// Reads Graft's own schema; `GraphModel.init(contentsOf:dialect:extensions:)` documents its form.
struct SchemaFileReader {
  private static let rootKeys = ["dialect", "entities"]
  private static let entityKeys = [
    "name", "superentity", "isAbstract", "attributes", "relationships", "userInfo",
  ]
  private static let attributeKeys = [
    "name", "type", "isOptional", "defaultValue", "minimum", "maximum", "pattern", "isTransient",
    "indexed", "transformerName", "userInfo",
  ]
  private static let relationshipKeys = [
    "name", "destination", "inverse", "isToMany", "isOrdered", "isOptional", "minimumCount",
    "maximumCount", "deleteRule", "userInfo",
  ]

  private let file: String
  private let log: IssueLog

  /// Reads a schema.
  ///
  /// - Parameters:
  ///   - data: The JSON.
  ///   - file: The path that errors name.
  /// - Returns: The entities as they are described, still unchecked.
  /// - Throws: ``ModelError`` with the place of each fault.
  static func read(_ data: Data, file: String) throws(ModelError) -> ModelDocument {
    let log = IssueLog(source: ModelSource(file: file))
    let reader = SchemaFileReader(file: file, log: log)
    let document = reader.document(of: try reader.decode(data))
    guard log.errors.isEmpty else { throw ModelError(log.errors) }
    return document
  }

  private func decode(_ data: Data) throws(ModelError) -> SchemaValue {
    do {
      return try JSONDecoder().decode(SchemaValue.self, from: data)
    } catch {
      throw malformed(data)
    }
  }

  /// The decoder tells neither what is wrong nor where, the older reader of JSON both, in a
  /// sentence.
  private func malformed(_ data: Data) -> ModelError {
    var reason = "the text is no JSON"
    do {
      _ = try JSONSerialization.jsonObject(with: data)
    } catch {
      reason = (error as NSError).userInfo["NSDebugDescription"] as? String ?? reason
    }
    guard let match = reason.firstMatch(of: /(.*?),? around character (\d+)/),
      let offset = Int(match.2), offset <= data.count
    else { return ModelError("malformed JSON: \(reason)", file: file) }
    let before = data.prefix(offset)
    let newline = UInt8(ascii: "\n")
    let column = before.reversed().prefix { $0 != newline }.count + 1
    let line = before.count { $0 == newline } + 1
    return ModelError(
      "malformed JSON: \(match.1)", file: file, at: TextPosition(line: line, column: column))
  }

  private func object(_ value: SchemaValue, at path: String, _ known: [String]) -> SchemaObject {
    SchemaObject(value, at: path, known: known) { log.error($0) }
  }

  private func document(of value: SchemaValue) -> ModelDocument {
    let root = object(value, at: "$", Self.rootKeys)
    var document = ModelDocument(source: ModelSource(file: file))
    document.dialect = root.choice("dialect", of: Dialect.self) ?? .graft
    document.entities = root.elements("entities").enumerated().map { index, value in
      entity(object(value, at: "$.entities[\(index)]", Self.entityKeys))
    }
    return document
  }

  private func entity(_ object: SchemaObject) -> EntityDescription {
    let attributes = object.elements("attributes").enumerated().map { index, value in
      attribute(self.object(value, at: "\(object.path).attributes[\(index)]", Self.attributeKeys))
    }
    let relationships = object.elements("relationships").enumerated().map { index, value in
      relationship(
        self.object(value, at: "\(object.path).relationships[\(index)]", Self.relationshipKeys))
    }
    return EntityDescription(
      name: object.requiredText("name"),
      superentity: object.text("superentity"),
      isAbstract: object.flag("isAbstract") ?? false,
      attributes: attributes,
      relationships: relationships,
      userInfo: object.annotations("userInfo")
    )
  }

  private func attribute(_ object: SchemaObject) -> AttributeDescription {
    if object.value("type") == nil {
      let types = AttributeType.allCases.map(\.rawValue)
      log.error("\(object.path): expected one of \(types.joined(separator: ", ")) under \"type\"")
    }
    let type = object.choice("type", of: AttributeType.self) ?? .transformable
    let text = object.scalar("defaultValue")
    let value = text.flatMap { type.value(from: $0) }
    if let text, value == nil {
      log.error("\(object.path): the default value \"\(text)\" is no \(type.rawValue)")
    }
    return AttributeDescription(
      name: object.requiredText("name"),
      type: type,
      isOptional: object.flag("isOptional") ?? true,
      defaultValue: value,
      minimum: object.scalar("minimum"),
      maximum: object.scalar("maximum"),
      pattern: object.text("pattern"),
      isTransient: object.flag("isTransient") ?? false,
      isIndexed: object.flag("indexed") ?? false,
      transformerName: object.text("transformerName"),
      userInfo: object.annotations("userInfo")
    )
  }

  private func relationship(_ object: SchemaObject) -> RelationshipDescription {
    RelationshipDescription(
      name: object.requiredText("name"),
      destination: object.requiredText("destination"),
      inverse: object.text("inverse"),
      isToMany: object.flag("isToMany") ?? false,
      isOrdered: object.flag("isOrdered") ?? false,
      isOptional: object.flag("isOptional") ?? true,
      minimumCount: object.count("minimumCount"),
      maximumCount: object.count("maximumCount"),
      deleteRule: object.choice("deleteRule", of: DeleteRule.self) ?? .nullify,
      userInfo: object.annotations("userInfo")
    )
  }
}
