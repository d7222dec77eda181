import Graft
import GraftExport

/// Draws entities for Graphviz: a table for each, its identity underlined, and an arrow for each relationship.
enum DotWriter {
  /// Returns the text of a `.dot` file.
  ///
  /// - Parameter entities: The entities, in the order in which they are drawn.
  /// - Returns: A directed graph in the language of Graphviz.
  static func text(of entities: [EntityDescription]) -> String {
    var lines = [
      "digraph model {", "  rankdir=LR;",
      "  node [shape=plain, fontname=\"Helvetica\", fontsize=11];",
      "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#555555\"];",
    ]
    for entity in entities { lines += node(of: entity) }
    var drawn: Set<[String]> = []
    for entity in entities {
      if let parent = entity.superentity {
        lines.append("  \(quoted(entity.name)) -> \(quoted(parent)) [arrowhead=empty];")
      }
      for relationship in entity.relationships {
        // Two ends of one relationship are one line.
        let other = [relationship.destination, relationship.inverse ?? ""]
        if relationship.inverse != nil, drawn.contains(other) { continue }
        drawn.insert([entity.name, relationship.name])
        lines.append(edge(relationship, of: entity))
      }
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private static func node(of entity: EntityDescription) -> [String] {
    let annotated = AnnotationWriter.annotations(of: entity)["identityAttributes"] ?? ""
    let identity = Set(annotated.split { $0 == " " || $0 == "," }.map(String.init))
    var rows = [
      "<tr><td bgcolor=\"#dde6f0\"><b>\(escaped(entity.name))</b>"
        + (entity.isAbstract ? " (abstract)" : "") + "</td></tr>"
    ]
    for attribute in entity.attributes {
      let name = escaped(attribute.name)
      let marked = identity.contains(attribute.name) ? "<u>\(name)</u>" : name
      rows.append(
        "<tr><td align=\"left\">\(marked): \(escaped(attribute.type.rawValue))"
          + (attribute.isOptional ? "?" : "") + "</td></tr>")
    }
    let table =
      "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\">\(rows.joined())</table>"
    return ["  \(quoted(entity.name)) [label=<\(table)>];"]
  }

  private static func edge(
    _ relationship: RelationshipDescription, of entity: EntityDescription
  ) -> String {
    let head = relationship.isToMany ? "crow" : "normal"
    return "  \(quoted(entity.name)) -> \(quoted(relationship.destination)) "
      + "[label=\(quoted(relationship.name)), arrowhead=\(head)];"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
