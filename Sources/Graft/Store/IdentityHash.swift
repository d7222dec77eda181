/// The hash of identities, in the manner of wyhash: multiply to 128 bits, fold the halves together.
///
/// It begins with a number that each store draws for itself, so that nobody can prepare identities
/// that collide.
enum IdentityHash {
  static func combine(_ state: UInt64, word: UInt64) -> UInt64 {
    fold(word ^ state, 0x9e37_79b9_7f4a_7c15)
  }

  static func combine(_ state: UInt64, bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = fold(state ^ UInt64(truncatingIfNeeded: bytes.count), 0xa076_1d64_78bd_642f)
    guard let start = bytes.baseAddress else { return hash }
    let raw = UnsafeRawPointer(start)
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      hash = fold(word ^ hash, 0xe703_7ed1_a0b4_28db)
      offset &+= 8
    }
    if offset < bytes.count {
      var word: UInt64 = 0
      var place: UInt64 = 0
      while offset < bytes.count {
        word |= UInt64(bytes[offset]) &<< place
        place &+= 8
        offset &+= 1
      }
      hash = fold(word ^ hash, 0x8ebc_6af0_9c88_c6e3)
    }
    return hash
  }

  /// The 32 bits that the index keeps; its high bits choose the slot.
  static func finish(_ state: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: fold(state ^ 0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9) &>> 32)
  }

  private static func fold(_ lhs: UInt64, _ rhs: UInt64) -> UInt64 {
    let product = lhs.multipliedFullWidth(by: rhs)
    return product.high ^ product.low
  }
}
