import Graft

/// `type`, `kind` and other keys whose values may name the kind of an object.
enum TagNames {
  private static let names: Set<String> = [
    "event", "tag", "action", "model", "category", "shape", "discriminator", "entity", "op", "ty",
    "method", "variant", "rec", "command", "cmd", "operation", "verb", "activity", "component",
    "__component", "_class", "classname", "class_name", "widget", "what", "group", "role", "form",
    "family", "layout", "discriminant", "nodename",
  ]

  /// The keys that hold the type of the object itself.
  private static let ownTypes: Set<String> = [
    "type", "kind", "object", "class", "__typename", "@type", "_type", "$type", "resourcetype",
    "resource_type", "objecttype", "object_type", "entitytype", "entity_type", "instancetype",
  ]

  /// The ends of a tag's key: `cell_type`, `outputKind`, `qtype`.
  private static let endings = ["type", "kind"]

  /// Returns whether a key holds the type of the object itself.
  static func isOwnType(_ lowercased: String) -> Bool { ownTypes.contains(lowercased) }

  static func contains(_ name: MemberName) -> Bool {
    names.contains(name.lowercased) || isOwnType(name.lowercased) || isSchema(name)
      || endings.contains(where: name.lowercased.hasSuffix)
  }

  /// Returns whether a key holds the schema of an object, as `OTIO_SCHEMA` does.
  ///
  /// The `schema` of a table is where the table is found.
  static func isSchema(_ name: MemberName) -> Bool {
    // Nearly all keys end otherwise, and are not split into words.
    guard let last = name.key.utf8.last, last | 0x20 == 0x61 else { return false }
    return name.words.parts.count > 1 && name.words.parts.last == "schema"
  }

  /// The types of JSON Schema, which distinguish values and not things.
  private static let valueTypes: Set<String> = [
    "string", "integer", "number", "boolean", "object", "array", "null", "date", "any", "int",
    "float", "double", "bool",
  ]

  /// Returns whether all values of a tag are types of values.
  static func areValueTypes(_ texts: some Sequence<String>) -> Bool {
    texts.allSatisfy { valueTypes.contains($0.lowercased()) }
  }
}
