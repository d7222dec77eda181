/// The keys of one keyed collection, of which no two are the same.
///
/// An object's key is the attribute that an import takes from there (`@key`), else its identity, else
/// its position: `{"a": {…}, "b": {…}}`, or `{"0": {…}, "1": {…}}` for objects without a name.
struct MemberKeys {
  private var taken: Set<[UInt8]> = []

  /// Creates the keys of a collection, some of which are taken by other members of its object.
  init(besides names: [String] = []) {
    taken = Set(names.map { JSONWriter.quoted($0) })
  }

  /// Finds a key for an object, in quotes.
  ///
  /// - Parameters:
  ///   - name: The value of the attribute that names the object, as JSON; nil if it has none.
  ///   - position: The object's position in the collection.
  ///   - canBePosition: Whether an import sets nothing from the key.
  /// - Returns: The key, as JSON.
  /// - Throws: ``UnwritableValue`` where an import would set a wrong value from the key, because the
  ///   object has no name or shares it.
  mutating func key(
    for name: [UInt8]?, at position: Int, canBePosition: Bool
  ) throws(UnwritableValue) -> [UInt8] {
    // An integer and a string may be the same key.
    let key = name.map { $0.first == 0x22 ? $0 : [0x22] + $0 + [0x22] }
    if let key, taken.insert(key).inserted { return key }
    guard canBePosition else {
      throw UnwritableValue(
        name == nil
          ? "the object is found under this value (@key), which is no name; set it, or leave the"
            + " collection out"
          : "the object is found under this value (@key), as is another of the collection; give each"
            + " its own, or leave the collection out")
    }
    return makeKey(at: position)
  }

  /// A position, or that with a number behind it where another object has that name.
  private mutating func makeKey(at position: Int) -> [UInt8] {
    var key = JSONWriter.quoted("\(position)")
    var number = 2
    while !taken.insert(key).inserted {
      key = JSONWriter.quoted("\(position)-\(number)")
      number += 1
    }
    return key
  }
}
