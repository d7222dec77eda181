import Graft

/// Computes hashes of 64 bits, by which values, keys and whole objects are compared without being kept.
///
/// They do not depend on the run, the machine or the order of an object's keys, so that the same
/// documents always give the same model. They do not protect against deliberate collisions, which
/// cause a wrong guess at worst.
///
/// The mixing step is the one of wyhash (Wang Yi, 2019): the halves of a product of 128 bits,
/// folded.
enum Fingerprint {
  private static let factors: (UInt64, UInt64, UInt64) = (
    0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3
  )

  /// Returns the fingerprint of bytes; never 0.
  @inline(__always)
  static func of(_ bytes: BorrowedBuffer<UInt8>) -> UInt64 {
    var hash = factors.0 ^ UInt64(truncatingIfNeeded: bytes.count)
    var index = 0
    while index &+ 8 <= bytes.count {
      hash = mix(hash ^ UInt64(littleEndian: bytes.load(at: index, as: UInt64.self)), factors.1)
      index &+= 8
    }
    var tail: UInt64 = 0
    while index < bytes.count {
      tail = tail << 8 | UInt64(bytes[index])
      index &+= 1
    }
    return mix(hash ^ tail, factors.2) | 1
  }

  static func of(_ text: String) -> UInt64 { text.withBorrowedUTF8 { of($0) } }

  /// Returns a fingerprint of two in this order.
  @inline(__always)
  static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = first.multipliedFullWidth(by: second ^ factors.0)
    return product.high ^ product.low
  }
}

extension MemberName {
  convenience init(_ key: String) { self.init(key, Fingerprint.of(key)) }
}
