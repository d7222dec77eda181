import Foundation
import Graft

/// Writes entities as Graft's own schema file, which `SchemaFileReader` reads.
///
/// Each property is on a line of its own, so that differences between versions of a model are
/// short.
package struct SchemaFileWriter: ~Copyable {
  private var json = JSONWriter(style: .lines(levels: 4), capacity: 4096)
  /// Whether annotations hold the values of descriptions, as they do in Graft's own dialect.
  private let writesAnnotations: Bool

  private init(_ dialect: Dialect) { writesAnnotations = dialect == .graft }

  /// Returns the text of the file.
  ///
  /// - Parameters:
  ///   - entities: The entities, in the order in which they are written.
  ///   - dialect: The dialect of their annotations.
  /// - Returns: JSON, a property on a line.
  package static func text(of entities: [EntityDescription], dialect: Dialect) -> String {
    var writer = SchemaFileWriter(dialect)
    writer.write(entities, dialect)
    return writer.json.text + "\n"
  }

  private mutating func write(_ entities: [EntityDescription], _ dialect: Dialect) {
    json.beginObject()
    write("dialect", dialect.rawValue)
    json.key("entities")
    json.beginArray()
    for entity in entities { write(entity) }
    json.endArray()
    json.endObject()
  }

  private mutating func write(_ entity: EntityDescription) {
    json.beginObject()
    write("name", entity.name)
    write("superentity", entity.superentity)
    write("isAbstract", entity.isAbstract, default: false)
    var entity = entity
    let names = entity.identity ?? []
    let isList =
      !names.isEmpty
      && names.allSatisfy { !$0.isEmpty && !$0.contains { $0 == "," || $0.isWhitespace } }
    moveList("identity", &entity.identity, unless: isList) { $0 }
    move("discriminator", &entity.discriminator)
    move("discriminatorValue", &entity.discriminatorValue)
    move("unknownEntity", &entity.unknownEntity)
    move("modifiedAttribute", &entity.modifiedAttribute)
    var policies = Policies(missingIdentity: entity.missingIdentity)
    move(&policies)
    entity.missingIdentity = policies.missingIdentity
    var annotations = AnnotationWriter.annotations(of: entity)
    if entity.mapper != nil { annotations["entityMapperName"] = entity.nameOfOwnMapper }
    write(annotations)
    if !entity.attributes.isEmpty {
      json.key("attributes")
      json.beginArray()
      for attribute in entity.attributes { write(attribute, of: entity) }
      json.endArray()
    }
    if !entity.relationships.isEmpty {
      json.key("relationships")
      json.beginArray()
      for relationship in entity.relationships { write(relationship) }
      json.endArray()
    }
    json.endObject()
  }

  private mutating func write(_ attribute: AttributeDescription, of entity: EntityDescription) {
    json.beginObject()
    write("name", attribute.name)
    write("type", attribute.type.rawValue)
    write("isOptional", attribute.isOptional, default: true)
    write("defaultValue", attribute.defaultValue?.modelFileText)
    write("minimum", attribute.minimum?.modelFileText)
    write("maximum", attribute.maximum?.modelFileText)
    write("pattern", attribute.pattern)
    write("isTransient", attribute.isTransient, default: false)
    write("indexed", attribute.isIndexed, default: false)
    write(
      "transformerName",
      attribute.transformer?.name(of: attribute.name, in: entity.name) ?? attribute.transformerName)
    var attribute = attribute
    let type = attribute.type
    func isAnnotation(_ value: AttributeValue) -> Bool {
      let text = value.modelFileText
      return AnnotationReader.trimmed(text) == text && type.value(from: text) != nil
    }
    let isList = attribute.values?.allSatisfy {
      let text = $0.modelFileText
      return isAnnotation($0) && !text.isEmpty && !text.contains("|")
    }
    moveList("values", &attribute.values, unless: isList == true, \.modelFileText)
    if let value = attribute.unknownValue, !writesAnnotations || !isAnnotation(value) {
      write("unknownValue", value.modelFileText)
      attribute.unknownValue = nil
    }
    move("paths", &attribute.paths)
    move("dateFormat", &attribute.dateFormat)
    move(&attribute.policies)
    var annotations = AnnotationWriter.annotations(of: attribute)
    // The attribute's own transformer counts.
    if attribute.transformer != nil { annotations["JSONTransformerName"] = nil }
    write(annotations)
    json.endObject()
  }

  private mutating func write(_ relationship: RelationshipDescription) {
    json.beginObject()
    write("name", relationship.name)
    write("destination", relationship.destination)
    write("inverse", relationship.inverse)
    write("isToMany", relationship.isToMany, default: false)
    write("isOrdered", relationship.isOrdered, default: false)
    write("isOptional", relationship.isOptional, default: true)
    if relationship.minimumCount != 0 { write("minimumCount", relationship.minimumCount) }
    if relationship.maximumCount != 0 { write("maximumCount", relationship.maximumCount) }
    if relationship.deleteRule != .nullify { write("deleteRule", relationship.deleteRule.rawValue) }
    var relationship = relationship
    move("paths", &relationship.paths)
    move("relatedBy", &relationship.relatedBy)
    move(&relationship.policies)
    write(AnnotationWriter.annotations(of: relationship))
    json.endObject()
  }

  // MARK: Values that no annotation holds

  /// Writes a value as a member, and removes it from its description, if no annotation is read as this value.
  private mutating func move(_ key: String, _ text: inout String?) {
    guard let value = text, !writesAnnotations || AnnotationReader.trimmed(value) != value else {
      return
    }
    write(key, value)
    text = nil
  }

  private mutating func move(_ key: String, _ paths: inout JSONPaths?) {
    guard !writesAnnotations, let value = paths else { return }
    write(key, value.annotation)
    paths = nil
  }

  private mutating func moveList<Value>(
    _ key: String, _ values: inout [Value]?, unless isAnnotation: Bool, _ text: (Value) -> String
  ) {
    guard let list = values, !writesAnnotations || !isAnnotation else { return }
    json.key(key)
    json.beginArray()
    for value in list { json.string(text(value)) }
    json.endArray()
    values = nil
  }

  private mutating func move(_ policies: inout Policies) {
    guard !writesAnnotations, policies != Policies() else { return }
    json.key("policies")
    json.beginObject()
    for policy in PolicyAnnotation.all { write(policy.name, policy.value(in: policies)) }
    json.endObject()
    policies = Policies()
  }

  // MARK: Members

  private mutating func write(_ key: String, _ text: String?) {
    guard let text else { return }
    json.key(key)
    json.string(text)
  }

  private mutating func write(_ key: String, _ flag: Bool, default usual: Bool) {
    guard flag != usual else { return }
    json.key(key)
    json.boolean(flag)
  }

  private mutating func write(_ key: String, _ count: Int) {
    json.key(key)
    json.integer(Int64(count))
  }

  private mutating func write(_ annotations: [String: String]) {
    guard !annotations.isEmpty else { return }
    json.key("userInfo")
    json.beginObject()
    for (key, value) in annotations.sortedByKey() { write(key, value) }
    json.endObject()
  }
}

extension AttributeValue {
  /// The value as model files write it, which `AttributeType.value(from:)` reads.
  package var modelFileText: String {
    switch self {
    case .string(let text), .json(let text): text
    case .boolean(let flag): flag ? "YES" : "NO"
    case .binary(let data): data.base64EncodedString()
    case .uri(let url): url.absoluteString
    case .date(let date): DateText.exactISO8601(date.timeIntervalSinceReferenceDate)
    case .integer, .decimal, .double, .float, .uuid: text
    }
  }
}

extension AttributeBound {
  /// The bound as model files write it.
  package var modelFileText: String {
    switch self {
    case .value(let value): value.modelFileText
    case .text(let text): text
    }
  }
}

extension DateText {
  /// Returns a date of ISO 8601 in UTC with as many decimals as it needs to be read as the same date, at most 9; or
  /// else its seconds since 2001.
  fileprivate static func exactISO8601(_ interval: Double) -> String {
    func text(of interval: Double) -> String {
      var text = ByteBuffer()
      appendISO8601(interval, to: &text)
      return text.string
    }
    func isExact(_ text: String) -> Bool { text.withUTF8Span(parseISO8601) == interval }
    var exact = text(of: interval)
    let second = interval.rounded(.down)
    var factor = 1000.0
    for digits in 4...9 where writableRange.contains(interval) && !isExact(exact) {
      factor *= 10
      let decimals = String(Int(min(((interval - second) * factor).rounded(), factor - 1)))
      let zeros = String(repeating: "0", count: digits - decimals.count)
      exact = text(of: second).dropLast() + "." + zeros + decimals + "Z"
    }
    return isExact(exact) ? exact : "\(interval)\(AttributeType.secondsSuffix)"
  }
}

extension GraphModel {
  /// The model as a file of Graft's own schema, which ``GraphModel/init(contentsOf:dialect:extensions:)`` reads as an
  /// equal model.
  ///
  /// A file has the names of code, not the code. A transformer's closure is called `Shop.fee`, and a mapper's
  /// `Shop mapper`. To read the file, register code under these names in `ModelExtensions`.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public var schemaFile: String { SchemaFileWriter.text(of: entities, dialect: dialect) }
}
