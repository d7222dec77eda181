import Foundation
import Graft
import GraftExport

// The source of an entity:
//
//   /// 173 objects, 115 identities, all equal
//   struct Status: Entity {
//     let id = Attribute<Int>("id_str")
//     let tags = Attribute<[String]?>()
//     let user = ToOne<User>()
//     static let identity = [\Self.id]
//   }
//
// The source is of Graft's own dialect: the model that it makes is equal to the one that it was made from,
// apart from types of attributes that are kept as JSON, and from what `omissions` lists.

/// Writes entities as Swift source.
struct SwiftSourceWriter {
  private let entities: [EntityDescription]
  private let names: SwiftNames
  private var lines: [String] = []
  /// The parts of the model that the source lacks.
  private(set) var omissions: [String] = []
  /// A file that compiles with Graft and Foundation.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Writes entities.
  ///
  /// - Parameter entities: The entities, in the order in which they are declared.
  init(_ entities: [EntityDescription]) {
    self.entities = entities
    names = SwiftNames(Set(entities.map(\.name)))
    write()
  }

  private mutating func write() {
    lines += ["import Foundation", "import Graft"]
    for entity in entities { write(entity) }
    let holdsJSON = entities.contains { entity in
      entity.attributes.contains {
        $0.type == .transformable && $0.userInfo[ModelAnnotations.swiftType] == nil
      }
    }
    if holdsJSON { lines += ["", Self.json.replacing("JSONContent", with: names.json)] }
  }

  private mutating func write(_ entity: EntityDescription) {
    let annotations = AnnotationWriter.annotations(of: entity)
    lines.append("")
    write(comment: annotations[ModelAnnotations.evidence], indent: "")
    lines.append("struct \(SwiftNames.escaped(entity.name)): \(names.qualified("Entity")) {")
    let properties = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    for name in properties where name.hasPrefix("$") {
      omissions.append(
        "\(entity.name).\(name): Swift has no names with $ at the beginning; rename it")
    }
    if let parent = entity.superentity {
      lines.append("  typealias Superentity = \(SwiftNames.escaped(parent))")
    }
    for attribute in entity.attributes { write(attribute, of: entity.name) }
    for relationship in entity.relationships { write(relationship, of: entity) }
    let identity = annotations["identityAttributes"].map(Self.words) ?? []
    if !identity.isEmpty {
      let owner = properties.contains("Self") ? SwiftNames.escaped(entity.name) : "Self"
      let paths = identity.map { "\\\(owner).\(SwiftNames.escaped($0))" }
      lines.append("  static let identity = [\(paths.joined(separator: ", "))]")
    }
    write(optionsOf: entity, annotations)
    lines.append("}")
    noteOthers(
      than: [
        "identityAttributes", "JSONDiscriminator", "JSONDiscriminatorValue", "JSONUnknownValue",
        "JSONModified",
      ],
      in: annotations, of: entity.name)
  }

  private mutating func write(comment: String?, indent: String) {
    guard let comment else { return }
    for line in comment.split(separator: "\n") { lines.append("\(indent)/// \(line)") }
  }

  private static func words(_ text: String) -> [String] {
    text.split { $0 == " " || $0 == "," }.map(String.init)
  }

  // MARK: Properties

  private mutating func write(_ attribute: AttributeDescription, of entity: String) {
    let annotations = AnnotationWriter.annotations(of: attribute)
    let subject = "\(entity).\(attribute.name)"
    write(comment: annotations[ModelAnnotations.evidence], indent: "  ")
    var arguments = paths(annotations)
    if attribute.isTransient {
      if arguments.isEmpty { arguments.add(nil, ".nowhere") }
      omissions.append("\(subject): transient")
    }
    arguments.add("format", annotations["JSONDateFormat"].map(Self.quoted))
    for (label, text) in [
      ("default", attribute.defaultValue?.modelFileText),
      ("unknown", annotations["JSONUnknownValue"]),
    ] {
      guard let text else { continue }
      let literal = literal(text, of: attribute)
      arguments.add(label, literal)
      if literal == nil { omissions.append("\(subject): the \(label) value \(text)") }
    }
    if let name = annotations["JSONTransformerName"] ?? attribute.transformerName {
      let transformer = Self.transformer(name)
      arguments.add("transformer", transformer)
      if transformer == nil {
        omissions.append("\(subject): the transformer \"\(name)\"; declare it and name it here")
      }
    }
    if let values = annotations["JSONValues"] {
      omissions.append(
        "\(subject): the values \(values); declare an enumeration of them as its type")
    }
    if attribute.type == .transformable, !attribute.isOptional {
      omissions.append("\(subject): required")
    }
    noteOthers(
      than: [
        "JSONKeyPath", "JSONDateFormat", "JSONUnknownValue", "JSONTransformerName", "JSONValues",
        ModelAnnotations.swiftType,
      ], in: annotations, of: subject)
    if attribute.type == .string {
      let (least, most) = (attribute.minimum?.modelFileText, attribute.maximum?.modelFileText)
      if least != nil || most != nil {
        arguments.add("length", Self.range(least ?? "0", most))
      }
    } else {
      arguments.add(
        "minimum", attribute.minimum.flatMap { literal($0.modelFileText, of: attribute) })
      arguments.add(
        "maximum", attribute.maximum.flatMap { literal($0.modelFileText, of: attribute) })
    }
    arguments.add("pattern", attribute.pattern.map(Self.quoted))
    arguments.addPolicies(of: .attribute, annotations)
    arguments.add("isIndexed", attribute.isIndexed ? "true" : nil)
    let type = type(of: attribute)
    append(
      "let \(SwiftNames.escaped(attribute.name)) = \(names.qualified("Attribute"))<\(type)>",
      arguments)
  }

  private func type(of attribute: AttributeDescription) -> String {
    let name =
      switch attribute.type {
      case .integer16: names.qualified("Int16")
      case .integer32: names.qualified("Int32")
      case .integer64: names.qualified("Int")
      case .decimal: names.qualified("Decimal")
      case .double: names.qualified("Double")
      case .float: names.qualified("Float")
      case .string: names.qualified("String")
      case .boolean: names.qualified("Bool")
      case .date: names.qualified("Date")
      case .binary: names.qualified("Data")
      case .uuid: names.qualified("UUID")
      case .uri: names.qualified("URL")
      case .transformable:
        attribute.userInfo[ModelAnnotations.swiftType].map(names.qualified(array:)) ?? names.json
      }
    let isOptional = attribute.isOptional || attribute.type == .transformable
    return isOptional ? name + "?" : name
  }

  private mutating func write(_ relationship: RelationshipDescription, of entity: EntityDescription)
  {
    let annotations = AnnotationWriter.annotations(of: relationship)
    write(comment: annotations[ModelAnnotations.evidence], indent: "  ")
    let kind =
      relationship.isToMany ? relationship.isOrdered ? "ToManyOrdered" : "ToMany" : "ToOne"
    let type = "\(names.qualified(kind))<\(SwiftNames.escaped(relationship.destination))>"
    var arguments = paths(annotations)
    // Two ends that name each other are a circle to the compiler: the first of them names the other.
    let inverse = relationship.inverse.flatMap { isFirst(relationship, of: entity) ? $0 : nil }
    arguments.add("inverse", inverse.map { "\\.\(SwiftNames.escaped($0))" })
    arguments.add(
      "relatedBy", annotations["JSONRelatedBy"].map { "\\.\(SwiftNames.escaped($0))" })
    if relationship.isToMany {
      var (least, most) = (relationship.minimumCount, relationship.maximumCount)
      if relationship.isOptional, least > 0 {
        omissions.append(
          "\(entity.name).\(relationship.name): \(least) or more, or none; it may have fewer")
        least = 0
      } else if !relationship.isOptional {
        least = max(least, 1)
      }
      if least > 0 || most > 0 {
        arguments.add("count", Self.range("\(least)", most > 0 ? "\(most)" : nil))
      }
    } else {
      arguments.add("isRequired", relationship.isOptional ? nil : "true")
    }
    arguments.add("deleteRule", relationship.deleteRule.swiftName)
    arguments.addPolicies(of: .relationship, annotations)
    noteOthers(
      than: ["JSONKeyPath", "JSONRelatedBy"], in: annotations,
      of: "\(entity.name).\(relationship.name)")
    let name = SwiftNames.escaped(relationship.name)
    // If the type is written out, the compiler need not look for it at the other end.
    append(inverse == nil ? "let \(name) = \(type)" : "let \(name): \(type) = \(type)", arguments)
  }

  /// Returns whether a relationship comes before its inverse, in the order of the entities' names.
  private func isFirst(
    _ relationship: RelationshipDescription, of entity: EntityDescription
  ) -> Bool {
    let other = entities.first { $0.name == relationship.destination }?.relationships
      .first { $0.name == relationship.inverse }
    guard other?.inverse == relationship.name else { return true }
    return (entity.name, relationship.name) <= (
      relationship.destination, relationship.inverse ?? ""
    )
  }

  private func paths(_ annotations: [String: String]) -> SwiftArguments {
    var arguments = SwiftArguments()
    guard let text = annotations["JSONKeyPath"] else { return arguments }
    arguments.add(nil, text == "-" ? ".nowhere" : Self.quoted(text))
    return arguments
  }

  /// Notes the annotations that neither these names nor policies explain.
  private mutating func noteOthers(
    than names: [String], in annotations: [String: String], of subject: String
  ) {
    let known =
      names + PolicyAnnotation.all.map(\.name) + [
        ModelAnnotations.evidence, ModelAnnotations.root, ModelAnnotations.dialect,
        ModelAnnotations.renamingIdentifier,
      ]
    for (name, value) in annotations.sortedByKey() where !known.contains(name) {
      omissions.append("\(subject): the annotation \(name) = \"\(value)\"")
    }
  }

  // MARK: Options

  private mutating func write(optionsOf entity: EntityDescription, _ annotations: [String: String])
  {
    var arguments = SwiftArguments()
    arguments.add("isAbstract", entity.isAbstract ? "true" : nil)
    let below = entities.filter { $0.superentity == entity.name }.map {
      "\(SwiftNames.escaped($0.name)).self"
    }
    arguments.add("subentities", below.isEmpty ? nil : "[\(below.joined(separator: ", "))]")
    arguments.addPolicies(of: .entity, annotations)
    arguments.add("discriminator", annotations["JSONDiscriminator"].map(Self.quoted))
    arguments.add("discriminatorValue", annotations["JSONDiscriminatorValue"].map(Self.quoted))
    arguments.add(
      "unknown", annotations["JSONUnknownValue"].map { "\(SwiftNames.escaped($0)).self" })
    let key = ModelAnnotations.renamingIdentifier
    arguments.add(key, annotations[key].map(Self.quoted))
    let renamed =
      entity.attributes.map { ($0.name, $0.userInfo[key]) }
      + entity.relationships.map { ($0.name, $0.userInfo[key]) }
    let pairs = renamed.compactMap { name, former in
      former.map { "\(Self.quoted(name)): \(Self.quoted($0))" }
    }
    arguments.add(
      "renamingIdentifiers", pairs.isEmpty ? nil : "[\(pairs.joined(separator: ", "))]")
    arguments.add(
      "modified", annotations["JSONModified"].map { "\\Self.\(SwiftNames.escaped($0))" })
    guard !arguments.isEmpty else { return }
    append("static let options = \(names.qualified("EntityOptions"))<Self>", arguments)
  }

  // MARK: Text

  /// Appends a call, broken into lines where it is long.
  private mutating func append(_ call: String, _ arguments: SwiftArguments) {
    let line = "  \(call)(\(arguments.texts.joined(separator: ", ")))"
    guard line.count > 100 else { return lines.append(line) }
    lines.append("  \(call)(")
    lines.append("    " + arguments.texts.joined(separator: ",\n    ") + ")")
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Returns a range in Swift; without an upper bound to the greatest number.
  private static func range(_ least: String, _ most: String?) -> String {
    "\(least)...\(most ?? "(.max)")"
  }

  /// Returns a value in Swift; nil where its type has no literal.
  private func literal(_ text: String, of attribute: AttributeDescription) -> String? {
    let type = attribute.type
    return switch type {
    case .integer16, .integer32, .integer64, .double, .float: text
    // A literal with a fraction would go through a Double, and lose digits.
    case .decimal:
      Int(text) == nil ? "\(names.qualified("Decimal"))(string: \(Self.quoted(text)))" : text
    case .boolean: ["YES", "true", "1"].contains(text) ? "true" : "false"
    case .string: Self.quoted(text)
    case .date:
      if case .date(let date)? = type.value(from: text) {
        "\(names.qualified("Date"))(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))"
      } else {
        nil
      }
    case .uuid:
      if case .uuid(let uuid)? = type.value(from: text) {
        "\(names.qualified("UUID"))(uuid: (\(Self.bytes(unsafe withUnsafeBytes(of: uuid.uuid) { unsafe Array($0) }))))"
      } else {
        nil
      }
    case .binary:
      if case .binary(let data)? = type.value(from: text), data.count <= 64 {
        "\(names.qualified("Data"))([\(Self.bytes(Array(data)))])"
      } else {
        nil
      }
    // A URL in Swift may be none, so that only an optional attribute can have it.
    case .uri:
      attribute.isOptional ? "\(names.qualified("URL"))(string: \(Self.quoted(text)))" : nil
    case .transformable: nil
    }
  }

  private static func bytes(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return "0x" + (digits.count == 1 ? "0" : "") + digits
    }.joined(separator: ", ")
  }

  /// Returns a ready-made transformer; nil for one that is registered in code.
  private static func transformer(_ name: String) -> String? {
    [
      "trim": ".trim", "hex-color": ".hexColor", "url": ".url", "base64": ".base64",
      "string-integer": ".stringInteger", "none": "AttributeTransformer.none",
    ][name]
  }

  private static let json = """
    /// Any JSON value.
    indirect enum JSONContent: Codable, Hashable, Sendable {
      case null
      case boolean(Swift.Bool)
      case number(Swift.Double)
      case string(Swift.String)
      case array([JSONContent])
      case object([Swift.String: JSONContent])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
          self = .null
        } else if let value = try? container.decode(Swift.Bool.self) {
          self = .boolean(value)
        } else if let value = try? container.decode(Swift.Double.self) {
          self = .number(value)
        } else if let value = try? container.decode(Swift.String.self) {
          self = .string(value)
        } else if let value = try? container.decode([JSONContent].self) {
          self = .array(value)
        } else {
          self = .object(try container.decode([Swift.String: JSONContent].self))
        }
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
      }
    }
    """
}

/// The arguments of a call, in order.
private struct SwiftArguments {
  private(set) var texts: [String] = []

  var isEmpty: Bool { texts.isEmpty }

  mutating func add(_ label: String?, _ value: String?) {
    guard let value else { return }
    texts.append((label.map { "\($0): " } ?? "") + value)
  }

  /// Adds the policies that annotations have.
  mutating func addPolicies(of owner: AnnotationOwner, _ annotations: [String: String]) {
    for policy in PolicyAnnotation.all where !policy.values(on: owner).isEmpty {
      guard let value = annotations[policy.name] else { continue }
      add(policy.parameter, policy.argument(value) ?? "." + SwiftNames.escaped(value))
    }
  }
}

extension DeleteRule {
  /// The case in Swift; nil for the default.
  fileprivate var swiftName: String? {
    switch self {
    case .nullify: nil
    case .cascade: ".cascade"
    case .deny: ".deny"
    case .noAction: ".noAction"
    }
  }
}

/// Names in generated source.
///
/// A name that an entity takes from Graft, Foundation or Swift is qualified.
struct SwiftNames {
  private let taken: Set<String>

  init(_ entities: Set<String>) { taken = entities }

  private static let modules: [String: String] = [
    "Entity": "Graft", "Attribute": "Graft", "ToOne": "Graft", "ToMany": "Graft",
    "ToManyOrdered": "Graft", "EntityOptions": "Graft", "ImportOptions": "Graft",
    "GraphStore": "Graft", "Date": "Foundation",
    "Data": "Foundation", "UUID": "Foundation", "URL": "Foundation", "Decimal": "Foundation",
  ]

  func qualified(_ name: String) -> String {
    taken.contains(name) ? "\(Self.modules[name] ?? "Swift").\(name)" : name
  }

  /// Returns an array's type, such as `[String]`, with its element qualified.
  func qualified(array: String) -> String {
    guard array.hasPrefix("["), array.hasSuffix("]") else { return array }
    let element = array.dropFirst().dropLast()
    let isOptional = element.hasSuffix("?")
    return
      "[\(qualified(String(isOptional ? element.dropLast() : element)))\(isOptional ? "?" : "")]"
  }

  /// The type that holds any JSON.
  var json: String {
    ["JSON", "JSONContent", "AnyJSON"].first { !taken.contains($0) } ?? "GeneratedJSON"
  }

  private static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "init",
    "inout", "internal", "let", "open", "operator", "private", "precedencegroup", "protocol",
    "public",
    "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case", "catch",
    "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in",
    "repeat",
    "return", "throw", "switch", "where", "while", "as", "false", "is", "nil", "super", "throws",
    "true", "try", "self", "Self", "Type", "Protocol", "Any", "_",
  ]

  /// Returns a name as it stands in source, in backticks where it is a keyword or no plain identifier.
  static func escaped(_ name: String) -> String {
    let isPlain =
      name.first.map { $0.isLetter || $0 == "_" } == true
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isPlain && !keywords.contains(name) ? name : "`\(name)`"
  }
}
