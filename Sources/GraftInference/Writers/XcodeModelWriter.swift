import Foundation
import Graft
import GraftExport

/// Writes entities as Xcode's model XML, the reverse of ``XcodeModelReader``.
struct XcodeModelWriter {
  private let dialect: Dialect
  private var lines: [String] = []
  /// The parts of the model that the file lacks.
  private(set) var omissions: [String] = []
  /// The text of the file `contents` in a folder `.xcdatamodel`.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Writes a model as XML, the entities sorted by name as Xcode sorts them.
  ///
  /// - Parameters:
  ///   - entities: The entities, in any order.
  ///   - dialect: The dialect of their annotations, which is named where they leave it open.
  init(_ entities: [EntityDescription], dialect: Dialect) {
    self.dialect = dialect
    var entities = Self.withBothEnds(entities).sorted { $0.name < $1.name }
    let annotated = entities.map(AnnotationWriter.annotated)
    if DialectDetection(annotated).dialect != dialect, !entities.isEmpty {
      entities[0].userInfo[ModelAnnotations.dialect] = dialect.rawValue
    }
    write(entities)
  }

  /// Returns the entities with each inverse named at both ends, as Core Data wants it; Graft needs it at one.
  private static func withBothEnds(_ entities: [EntityDescription]) -> [EntityDescription] {
    var result = entities
    let numbers = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for owner in entities {
      for relationship in owner.relationships {
        var number = numbers[relationship.destination]
        while let declaring = number {
          let other = entities[declaring].relationships.firstIndex {
            $0.name == relationship.inverse && $0.inverse == nil && $0.destination == owner.name
          }
          if let other { result[declaring].relationships[other].inverse = relationship.name }
          number = other == nil ? entities[declaring].superentity.flatMap { numbers[$0] } : nil
        }
      }
    }
    return result
  }

  private mutating func write(_ entities: [EntityDescription]) {
    lines.append(#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#)
    lines.append(
      "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\" "
        + "userDefinedModelVersionIdentifier=\"\">")
    for entity in entities { write(entity) }
    lines.append("</model>")
  }

  private mutating func write(_ entity: EntityDescription) {
    let head = tag(
      "entity",
      [
        ("name", entity.name), ("representedClassName", entity.name),
        ("isAbstract", entity.isAbstract ? "YES" : nil), ("parentEntity", entity.superentity),
        ("syncable", "YES"),
      ])
    lines.append("    <\(head)>")
    for attribute in entity.attributes.sorted(by: { $0.name < $1.name }) {
      write(attribute, of: entity.name)
    }
    for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
      write(relationship)
    }
    write(AnnotationWriter.annotations(of: entity), indent: 8)
    lines.append("    </entity>")
  }

  private mutating func write(_ attribute: AttributeDescription, of entity: String) {
    let isDate = attribute.type == .date
    var annotations = AnnotationWriter.annotations(of: attribute)
    var transformer = attribute.transformerName
    // The field of the model editor is for transformable attributes alone.
    if let name = transformer, attribute.type != .transformable {
      transformer = nil
      if [.graft, .groot].contains(dialect) {
        annotations["JSONTransformerName"] = annotations["JSONTransformerName"] ?? name
      } else {
        omissions.append("\(entity).\(attribute.name): the transformer \"\(name)\"")
      }
    }
    let head = tag(
      "attribute",
      [
        ("name", attribute.name), ("optional", attribute.isOptional ? "YES" : nil),
        ("transient", attribute.isTransient ? "YES" : nil),
        ("attributeType", attribute.type.rawValue),
        ("minValueString", isDate ? nil : attribute.minimum?.modelFileText),
        ("maxValueString", isDate ? nil : attribute.maximum?.modelFileText),
        ("minDateTimeInterval", isDate ? attribute.minimum?.interval : nil),
        ("maxDateTimeInterval", isDate ? attribute.maximum?.interval : nil),
        ("defaultValueString", isDate ? nil : attribute.defaultValue?.modelFileText),
        ("defaultDateTimeInterval", isDate ? attribute.defaultValue?.interval : nil),
        ("regularExpressionString", attribute.pattern),
        ("indexed", attribute.isIndexed ? "YES" : nil),
        ("usesScalarValueType", "NO"), ("valueTransformerName", transformer),
        ("syncable", "YES"),
      ])
    write(head, annotations, element: "attribute")
  }

  private mutating func write(_ relationship: RelationshipDescription) {
    let head = tag(
      "relationship",
      [
        ("name", relationship.name), ("optional", relationship.isOptional ? "YES" : nil),
        ("toMany", relationship.isToMany ? "YES" : nil),
        ("minCount", relationship.minimumCount > 0 ? "\(relationship.minimumCount)" : nil),
        ("maxCount", count(of: relationship)),
        ("ordered", relationship.isOrdered ? "YES" : nil),
        ("deletionRule", relationship.deleteRule.rawValue),
        ("destinationEntity", relationship.destination),
        ("inverseName", relationship.inverse),
        ("inverseEntity", relationship.inverse.map { _ in relationship.destination }),
        ("syncable", "YES"),
      ])
    write(head, AnnotationWriter.annotations(of: relationship), element: "relationship")
  }

  /// Returns the greatest number of objects; Xcode writes 1 for a to-one relationship.
  private func count(of relationship: RelationshipDescription) -> String? {
    if relationship.maximumCount > 0 { return "\(relationship.maximumCount)" }
    return relationship.isToMany ? nil : "1"
  }

  // MARK: XML

  private mutating func write(_ head: String, _ annotations: [String: String], element: String) {
    guard !annotations.isEmpty else { return lines.append("        <\(head)/>") }
    lines.append("        <\(head)>")
    write(annotations, indent: 12)
    lines.append("        </\(element)>")
  }

  private mutating func write(_ annotations: [String: String], indent: Int) {
    guard !annotations.isEmpty else { return }
    let space = String(repeating: " ", count: indent)
    lines.append("\(space)<userInfo>")
    for (key, value) in annotations.sortedByKey() {
      lines.append("\(space)    <\(tag("entry", [("key", key), ("value", value)]))/>")
    }
    lines.append("\(space)</userInfo>")
  }

  private mutating func tag(_ name: String, _ attributes: [(String, String?)]) -> String {
    var pairs: [String] = []
    for case (let key, let value?) in attributes {
      let text = value.unicodeScalars.filter(\.isOfXML)
      if text.count < value.unicodeScalars.count {
        let owner = attributes.first?.1 ?? name
        omissions.append(
          "\(name) \(owner.debugDescription), \(key): control characters, which XML cannot have")
      }
      let escaped = Markup.escaped(
        String(String.UnicodeScalarView(text)), also: ["\n", "\r", "\t"])
      pairs.append("\(key)=\"\(escaped)\"")
    }
    return ([name] + pairs).joined(separator: " ")
  }
}

extension AttributeValue {
  /// A date as Xcode writes it, in seconds since 2001; nil for other values.
  fileprivate var interval: String? {
    guard case .date(let date) = self else { return nil }
    let seconds = date.timeIntervalSinceReferenceDate
    return seconds == seconds.rounded() && abs(seconds) < 1e15 ? "\(Int64(seconds))" : "\(seconds)"
  }
}

extension AttributeBound {
  fileprivate var interval: String? {
    switch self {
    case .value(let value): value.interval
    case .text(let text): AttributeType.date.value(from: text)?.interval
    }
  }
}

extension Unicode.Scalar {
  /// Whether XML 1.0 may have it (production 2, Char).
  fileprivate var isOfXML: Bool {
    value >= 0x20 && value != 0xFFFE && value != 0xFFFF || self == "\t" || self == "\n"
      || self == "\r"
  }
}
