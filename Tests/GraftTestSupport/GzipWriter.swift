import Foundation

/// Packs as gzip does, in blocks of bytes as they are, so that a test knows where each part begins.
enum GzipWriter {
  /// Returns the head, each block, and the end with check sum and length; the last block is marked
  /// as such.
  static func parts(_ blocks: [String]) -> [Data] {
    let blocks = blocks.map { Data($0.utf8) }
    let content = blocks.reduce(Data(), +)
    let head = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
    let packed = blocks.enumerated().map { index, block in
      let count = UInt16(block.count)
      return Data([index == blocks.count - 1 ? 1 : 0]) + bytes(count) + bytes(~count) + block
    }
    return [head] + packed + [bytes(checkSum(content)) + bytes(UInt32(content.count))]
  }

  static func pack(_ blocks: String...) -> Data { parts(blocks).reduce(Data(), +) }

  /// CRC-32 as gzip has it.
  private static func checkSum(_ data: Data) -> UInt32 {
    ~data.reduce(~UInt32(0)) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  private static func bytes(_ value: some FixedWidthInteger) -> Data {
    withUnsafeBytes(of: value.littleEndian) { Data($0) }
  }
}
