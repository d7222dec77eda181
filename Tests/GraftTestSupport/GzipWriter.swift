import Foundation

/// Packs as gzip does, in blocks of bytes as they are, so that a test knows where each part begins.
enum GzipWriter {
  /// Returns the head, each block, and the end with check sum and length; the last block is marked
  /// as such.
  static func parts(_ blocks: [String]) -> [Data] {
    let content = blocks.reduce(Data()) { $0 + Data($1.utf8) }
    let head = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
    return [head] + deflated(blocks) + [bytes(checkSum(content)) + bytes(UInt32(content.count))]
  }

  static func pack(_ blocks: String...) -> Data { parts(blocks).reduce(Data(), +) }

  /// Packs in zlib's format.
  static func zlib(_ blocks: String...) -> Data {
    let content = blocks.reduce(Data()) { $0 + Data($1.utf8) }
    return deflated(blocks).reduce(Data([0x78, 0x9C]), +) + bytes(adler(content).bigEndian)
  }

  private static func deflated(_ blocks: [String]) -> [Data] {
    blocks.enumerated().map { index, block in
      let block = Data(block.utf8)
      let count = UInt16(block.count)
      return Data([index == blocks.count - 1 ? 1 : 0]) + bytes(count) + bytes(~count) + block
    }
  }

  /// CRC-32 as gzip has it.
  private static func checkSum(_ data: Data) -> UInt32 {
    ~data.reduce(~UInt32(0)) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  /// Adler-32 as zlib has it.
  private static func adler(_ data: Data) -> UInt32 {
    let (low, high) = data.reduce((UInt32(1), UInt32(0))) { sums, byte in
      let low = (sums.0 + UInt32(byte)) % 65_521
      return (low, (sums.1 + low) % 65_521)
    }
    return high << 16 | low
  }

  private static func bytes(_ value: some FixedWidthInteger) -> Data {
    withUnsafeBytes(of: value.littleEndian) { Data($0) }
  }
}
