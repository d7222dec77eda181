import Graft

/// The keys of one keyed collection, all of them different.
///
/// An object's key is the attribute that an import reads there (`@key`), or else its identity, or
/// else its position: `{"a": {…}, "b": {…}}`, or `{"0": {…}, "1": {…}}` for objects without a name.
struct MemberKeys {
  /// The object that has a key; nil if a property of the owner has it.
  private var taken: [[UInt8]: ObjectID?] = [:]

  /// Creates the keys of a collection whose object has other members with these names.
  init(besides names: [String] = []) {
    for name in names { taken[JSONWriter.quoted(name)] = .some(nil) }
  }

  /// Finds a key for an object, in quotes.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - name: The value of the attribute that names the object, as JSON; nil if it has none.
  ///   - position: The object's position in the collection.
  ///   - canBePosition: Whether an import sets nothing from the key.
  /// - Returns: The key, as JSON; nil if an import would set a wrong value from any, because the
  ///   object has no name or shares it.
  mutating func key(
    for id: ObjectID, named name: [UInt8]?, at position: Int, canBePosition: Bool
  ) -> [UInt8]? {
    if let key = name.map(Self.quoted), taken[key] == nil {
      taken[key] = id
      return key
    }
    guard canBePosition else { return nil }
    let key = makeKey(at: position)
    taken[key] = id
    return key
  }

  /// Returns the object that has the key of a name.
  func object(named name: [UInt8]) -> ObjectID? { taken[Self.quoted(name)] ?? nil }

  /// Returns a name in quotes, since an integer and a string may be the same key.
  private static func quoted(_ name: [UInt8]) -> [UInt8] {
    name.first == 0x22 ? name : [0x22] + name + [0x22]
  }

  /// Returns the position as the key, with a number appended if the key is taken.
  private func makeKey(at position: Int) -> [UInt8] {
    var key = JSONWriter.quoted("\(position)")
    var number = 2
    while taken[key] != nil {
      key = JSONWriter.quoted("\(position)-\(number)")
      number += 1
    }
    return key
  }
}
