import Graft

/// A type that all objects of a place name, or the collection that has their addresses.
struct TypeMark: Hashable {
  private let key: UInt64
  private let value: UInt64
  /// The last word of the objects' key; nil for general words, such as `items`, and for a collection.
  ///
  /// An `owner` may be a user or a team, and `messages` and `latest_messages` are messages of any type.
  private let name: String?
  /// Whether the value surely names a type: the name of a collection does if it is a plural, or the objects' key.
  private var isCertain = true

  /// Returns whether two marks say that objects are of two kinds.
  func contradicts(_ other: TypeMark) -> Bool {
    other.key == key && other.value != value && (other.isCertain || isCertain)
      && (other.name != name || name == nil)
  }

  /// The keys of an object's own address.
  static let addressKeys: Set<String> = ["self", "url", "uri", "href", "@id", "selflink"]

  /// Returns the types that the objects of a place name; objects without an identifier of their own have none.
  static func marks(of place: Place) -> [TypeMark] {
    guard place.form == .object else { return [] }
    let collections = place.shape.members.compactMap { collection($0, of: place) }
    guard place.shape.members.contains(where: { $0.name.isStrong }) else { return collections }
    return collections + place.shape.members.compactMap { type($0, of: place) }
  }

  private static func type(_ member: Shape.Member, of place: Place) -> TypeMark? {
    guard TagNames.isOwnType(member.name.lowercased), !member.shape.hasSeveralContents,
      [.string, .scalars].contains(Composition(member.shape))
    else { return nil }
    let name = Words(place.key).singular.parts
    let isGeneral = name.count == 1 && IdentityNames.general.contains(name[0])
    return TypeMark(
      key: member.hash, value: member.shape.firstContent, name: isGeneral ? nil : name.last)
  }

  /// Returns the collection that has the objects' own addresses: `/api/equipment/club` and
  /// `/api/equipment-categories/weapons` are in two of them, and so are `/api/classes/bard` and `/api/classes/bard/levels/1`.
  ///
  /// The pages of two people, `/ann/graft` and `/ben/graft`, may be of one kind: one of two collections must have the name
  /// of a plural, or of the key of its objects. Objects with nothing but a `href` are links, wherever they lead.
  private static func collection(_ member: Shape.Member, of place: Place) -> TypeMark? {
    guard addressKeys.contains(member.name.lowercased), member.shape.stringCount > 0,
      place.keys.count > 1 || member.name.lowercased != "href"
    else { return nil }
    var name: Substring?
    for address in member.shape.scalars.examples {
      let parts = address.split(separator: "/").drop { $0.hasSuffix(":") }
      guard parts.count > 2, let last = parts.last, !last.contains(where: { ".?=".contains($0) }),
        case let collection = parts[parts.endIndex - 2], name ?? collection == collection,
        !collection.contains(where: \.isNumber)
      else { return nil }
      name = collection
    }
    guard let name else { return nil }
    return TypeMark(
      key: member.hash, value: Fingerprint.of(String(name)), name: nil,
      isCertain: Words(String(name)).isPlural || name == place.key)
  }
}
