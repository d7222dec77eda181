import Foundation
import Graft

// `Link: <https://api.example.org/issues?page=2>; rel="next", <…?page=9>; rel="last"` (RFC 8288). Seen in the wild, and
// read here: several headers, rel without quotes or in single ones, `rel="next last"`, any case, commas and semicolons in
// addresses and in titles, addresses relative to the page, an `anchor` that is the page itself, a semicolon between two
// links, spaces anywhere.

/// One link of a `Link` header.
struct LinkHeader: Equatable {
  /// The address as it is written, perhaps relative to the page.
  var address: String
  /// The relations in lower case, such as `next`.
  var relations: [String]

  /// Returns the address of the first link with a relation; nil if there is none.
  ///
  /// - Parameters:
  ///   - relation: The relation, such as `next`, in any case.
  ///   - values: The values of the answer's `Link` headers.
  ///   - page: The address of the answer.
  /// - Returns: The address as it is written.
  static func address(of relation: String, in values: [String], of page: URL? = nil) -> String? {
    let relation = relation.lowercased()
    return values.lazy.flatMap { links(in: $0, of: page) }
      .first { $0.relations.contains(relation) }?.address
  }

  /// Returns the links of a header, without those of other documents (`anchor`).
  static func links(in value: String, of page: URL? = nil) -> [LinkHeader] {
    var links: [LinkHeader] = []
    var rest = value[...]
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      let address = rest[rest.index(after: start)..<end].filter { !$0.isNewline }
      rest = rest[rest.index(after: end)...]
      var link = LinkHeader(
        address: address.trimmingCharacters(in: .whitespaces), relations: [])
      var isOfThisDocument = true
      // The first of several relations counts (RFC 8288, 3.3).
      var hasRelation = false
      while let (name, value) = parameter(&rest) {
        switch name {
        case "rel" where !hasRelation:
          hasRelation = true
          link.relations = value.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        case "anchor":
          isOfThisDocument =
            value.isEmpty
            || page != nil && URL(address: value, relativeTo: page)?.absoluteURL == page
        default: break
        }
      }
      if isOfThisDocument { links.append(link) }
    }
    return links
  }

  /// Reads the next parameter of a link.
  ///
  /// - Parameter rest: What follows; afterwards, what follows the parameter.
  /// - Returns: Name in lower case and value; nil at the end of the link.
  private static func parameter(_ rest: inout Substring) -> (name: String, value: String)? {
    rest = rest.drop { $0.isWhitespace }
    guard rest.first == ";" else { return nil }
    rest = rest.dropFirst().drop { $0.isWhitespace }
    guard rest.first != "<" else { return nil }
    let name = rest.prefix { !";,=".contains($0) }
    rest = rest.dropFirst(name.count)
    let key = name.trimmingCharacters(in: .whitespaces).lowercased()
    guard rest.first == "=" else { return (key, "") }
    rest = rest.dropFirst().drop { $0.isWhitespace }
    guard rest.first == "\"" else {
      let token = rest.prefix { !";,".contains($0) }
      rest = rest.dropFirst(token.count)
      return (key, token.trimmingCharacters(in: CharacterSet(charactersIn: "' \t")))
    }
    rest.removeFirst()
    var value = ""
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let escaped = rest.popFirst() {
        value.append(escaped)
      } else {
        value.append(character)
      }
    }
    return (key, value)
  }
}
