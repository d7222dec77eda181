/// The names under which the objects of one collection stand: no two have the same.
struct MemberNames {
  private var taken: Set<[UInt8]> = []

  /// Gives a name to an object.
  ///
  /// - Returns: Whether no other has it.
  mutating func take(_ name: [UInt8]) -> Bool { taken.insert(name).inserted }

  /// Gives an object a name that says nothing: its position, or that with a number behind it where
  /// another object has that name.
  mutating func takeAny(at position: Int) -> [UInt8] {
    var name = Array("\(position)".utf8)
    var number = 2
    while !take(name) {
      name = Array("\(position)-\(number)".utf8)
      number += 1
    }
    return name
  }
}
