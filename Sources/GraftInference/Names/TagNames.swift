import Graft

/// `type`, `kind` and other keys whose values may name the kind of an object.
enum TagNames {
  private static let names: Set<String> = [
    "type", "kind", "object", "class", "event", "__typename", "@type", "_type", "$type",
    "resourcetype", "objecttype", "eventtype", "event_type", "object_type", "resource_type", "tag",
    "action", "model", "node_type", "nodetype", "media_type", "mediatype", "category", "shape",
    "discriminator", "entity", "entity_type", "entitytype", "itemtype", "item_type", "record_type",
    "recordtype", "message_type", "op", "ty", "method", "variant", "$kind", "messagetype",
    "rec", "command", "cmd", "operation", "verb", "activity", "component", "__component",
    "_class", "classname", "class_name", "widget", "what", "group", "role", "form", "family",
    "layout", "discriminant", "__type", "nodename",
  ]

  /// The ends of a tag's key: `cell_type`, `outputKind`, `qtype`.
  private static let endings = ["type", "kind"]

  static func contains(_ name: MemberName) -> Bool {
    names.contains(name.lowercased) || isSchema(name)
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
