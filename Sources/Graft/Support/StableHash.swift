/// A hash that is the same in every process, so that it can be saved: FNV-1a with 64 bits.
package struct StableHash: Sendable {
  /// The hash of all that was added.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  /// Hashes bytes.
  package init(_ bytes: BorrowedBuffer<UInt8>) { add(bytes) }

  /// Adds bytes.
  mutating func add(_ bytes: BorrowedBuffer<UInt8>) { for byte in bytes { add(UInt64(byte)) } }

  /// Adds a number in one step, as if it were a byte.
  mutating func add(_ number: UInt64) { value = (value ^ number) &* 0x100_0000_01B3 }
}
