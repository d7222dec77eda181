/// How much a key's name speaks for an identity.
enum IdentityNames {
  private static let strong: Set<String> = [
    "id", "_id", "@id", "$id", "id_str", "uuid", "guid", "uid", "identifier", "oid", "pk",
    "objectid", "urn", "node_id", "iri", "idstr", "_key", "entityid", "globalid", "global_id",
    "bom-ref",
  ]
  /// Codes that the world has given to things.
  private static let codes: Set<String> = [
    "ean", "isbn", "isbn13", "isbn10", "issn", "doi", "vin", "sku", "gtin", "upc", "asin", "iata",
    "icao", "cas", "iban",
  ]
  private static let natural: [String: Int] = [
    "key": 3, "slug": 3, "code": 3, "symbol": 3, "login": 3, "username": 3, "user_name": 3,
    "screen_name": 3, "handle": 3, "email": 4, "sha": 3, "hash": 3, "number": 4, "callsign": 3,
    "permalink": 4, "shortcode": 3, "alpha2": 4, "alpha_2": 4,
    "iso": 4, "iso2": 4, "iso_code": 4, "alpha_3": 3, "alpha3": 3, "cca2": 4, "cca3": 3,
    "abbreviation": 4, "abbr": 4, "ref": 4, "arn": 3, "purl": 4, "rel": 9, "url": 5, "href": 5,
    "uri": 4, "link": 5, "self": 5, "path": 5, "name": 6, "filename": 5, "file_name": 5,
    "hostname": 4, "host": 5, "domain": 5, "title": 8, "label": 7, "tag_name": 5,
  ]

  /// Whether a key names an identity by itself.
  static func isStrong(_ key: String) -> Bool { strong.contains(key.lowercased()) }

  /// Whether a key names a code that means the same thing wherever it occurs.
  static func isCode(_ key: String) -> Bool {
    let words = Words(key).parts
    return codes.contains(key.lowercased()) || natural[key.lowercased()].map { $0 <= 3 } == true
      || words.count > 1 && words.last == "id"
  }

  /// How well a key's name fits an identity of an entity, from 1 (best); nil where it does not.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - aliases: The words by which the entity's objects are found, in the singular.
  /// - Returns: The rank, or nil.
  static func rank(of key: String, aliases: Set<[String]>) -> Int? {
    let lower = key.lowercased()
    if lower == "id" { return 1 }
    if strong.contains(lower) { return 2 }
    if codes.contains(lower) { return 3 }
    let parts = Words(key).parts
    if let last = parts.last,
      ["id", "uuid", "code", "key", "number", "no", "sku", "guid"].contains(last),
      parts.count > 1
    {
      let owner = Array(parts.dropLast())
      if aliases.contains(where: { $0 == owner || $0.last == owner.last && owner.count == 1 }) {
        return 3
      }
    }
    return natural[lower].map { $0 + 1 }
  }
}
