/// The key of a member, with what it tells by itself.
///
/// A class, because the same key is found at many places and is looked into by many rules: each answer is found once.
final class MemberName {
  let key: String
  /// The fingerprint of the key.
  let hash: UInt64
  private(set) lazy var form = KeyForm(key)
  private(set) lazy var words = Words(key)
  private(set) lazy var lowercased = key.lowercased()
  /// Whether the key names an identity by itself.
  private(set) lazy var isStrong = IdentityNames.isStrong(key)
  /// Whether the values may name the kind of an object.
  private(set) lazy var isTag = TagNames.contains(self)
  /// Whether the key names nothing but the type of its value: `S`, `stringValue`, `$date`.
  private(set) lazy var namesType = Self.namesType(key)
  /// Whether the member may be an identity together with another one.
  private(set) lazy var mayBePart = IdentityNames.mayBePart(self)

  /// Returns whether a key names nothing but the type of its value.
  static func namesType(_ key: String) -> Bool { types.contains(key) }

  /// The names of types in the JSON of DynamoDB, Firestore and MongoDB.
  private static let types: Set<String> = [
    "S", "N", "B", "BOOL", "L", "M", "stringValue", "integerValue", "doubleValue", "booleanValue",
    "timestampValue", "bytesValue", "referenceValue", "$oid", "$date", "$numberLong", "$numberInt",
    "$numberDouble", "$numberDecimal", "$uuid",
  ]

  init(_ key: String, _ hash: UInt64) {
    self.key = key
    self.hash = hash
  }
}
