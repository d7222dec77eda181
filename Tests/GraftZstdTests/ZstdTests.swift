import Foundation
import GraftZstd
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Writes frames without compression, so that a test knows where each part begins.
private enum ZstdWriter {
  enum Block {
    case stored(String)
    /// A byte that is repeated.
    case run(UInt8, Int)
  }

  /// A frame with a window of 2 to the power of `windowLog` bytes, and without a check sum.
  static func frame(_ blocks: Block..., windowLog: UInt8 = 17, dictionary: UInt8? = nil) -> Data {
    var frame = Data([0x28, 0xB5, 0x2F, 0xFD, dictionary == nil ? 0 : 1, (windowLog - 10) << 3])
    if let dictionary { frame.append(dictionary) }
    for (index, block) in blocks.enumerated() {
      let isLast = index == blocks.count - 1 ? 1 : 0
      let (type, count, bytes) =
        switch block {
        case .stored(let text): (0, text.utf8.count, Data(text.utf8))
        case .run(let byte, let count): (1, count, Data([byte]))
        }
      let header = isLast | type << 1 | count << 3
      frame += [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)]
      frame += bytes
    }
    return frame
  }

  static func skipped(_ count: UInt8) -> Data {
    Data([0x57, 0x2A, 0x4D, 0x18, count, 0, 0, 0]) + Data(repeating: 0xAA, count: Int(count))
  }
}

@Suite struct `Data compressed by zstd` {
  private static var options: Decompression {
    var options = Decompression()
    options.formats = [.zstd]
    return options
  }

  private static func content(
    of data: Data, inPiecesOf size: Int = .max, encoding: String? = nil
  ) -> UnpackedContent {
    UnpackedContent(of: data, inPiecesOf: size, encoding: encoding, options)
  }

  /// Frames that follow one another, some of them skipped.
  private static let frames =
    ZstdWriter.skipped(3) + ZstdWriter.frame(.stored("[1"), .run(0x20, 9), .stored(""))
    + ZstdWriter.skipped(0)
    + ZstdWriter.frame(.stored(",2]"))

  @Test(arguments: [PackedSamples.zstd, frames])
  func `gives its text and its errors however it is cut`(data: Data) {
    let whole = Self.content(of: data)
    #expect(whole.error == nil)
    let text = data == Self.frames ? "[1         ,2]" : PackedSamples.text
    #expect(String(decoding: whole.text, as: UTF8.self) == text)
    for size in [1, 2, 3, 7, 20] { #expect(Self.content(of: data, inPiecesOf: size) == whole) }
    for index in data.indices {
      var damaged = data
      damaged[index] ^= 0x15
      let expected = Self.content(of: damaged)
      for size in [1, 3, 16] {
        let content = Self.content(of: damaged, inPiecesOf: size)
        if content != expected { #expect(content == expected, "byte \(index)") }
      }
    }
  }

  @Test func `is an error wherever it is cut off`() {
    for count in 4..<PackedSamples.zstd.count {
      #expect(
        Self.content(of: PackedSamples.zstd.prefix(count)).error?.message
          == "zstd data is cut off at byte \(count), before its end")
    }
  }

  @Test func `is told by the header of an answer`() {
    #expect(Self.content(of: PackedSamples.zstd, encoding: "zstd").error == nil)
    #expect(Self.options.acceptedEncodings == "gzip, zstd")
  }

  @Test func `names the byte at which it is damaged`() {
    let head = ZstdWriter.frame(.stored("[1]"))
    let message = Self.content(of: head + Data("[2] {}".utf8)).error?.message
    // libzstd looks at one byte of it, or at several.
    let bytes = (1...5).map {
      "zstd data is damaged at byte \(head.count + $0): Unknown frame descriptor"
    }
    #expect(bytes.contains(message ?? ""))
    var wrong = PackedSamples.zstd
    wrong[wrong.count - 1] ^= 1
    #expect(
      Self.content(of: wrong).error?.message
        == "zstd data is damaged at byte \(wrong.count): Restored data doesn't match checksum")
  }

  @Test func `is refused if it needs a dictionary`() {
    #expect(
      Self.content(of: ZstdWriter.frame(.stored("[1]"), dictionary: 7)).error?.message
        == "zstd data needs a dictionary, which is not supported, at byte 7")
  }

  @Test func `is refused if its window is larger than the limit`() {
    let data = ZstdWriter.frame(.stored("[1]"), windowLog: 24)
    #expect(Self.content(of: data).error == nil)
    var options = Decompression()
    options.formats = [.zstd(windowLimit: 9 << 20)]
    #expect(
      UnpackedContent(of: data, options).error?.message
        == "zstd data needs a window of more than 8192 KiB, which is not supported, at byte 6")
    #expect(
      Self.content(of: ZstdWriter.frame(.stored("[1]"), windowLog: 28)).error?.message
        == "zstd data needs a window of more than 131072 KiB, which is not supported, at byte 6")
  }

  @Test func `that is a bomb ends at the limit of the ratio`() {
    let blocks = (0..<40).map { _ in ZstdWriter.frame(.run(0x20, 100_000)) }
    let content = Self.content(of: blocks.reduce(Data(), +))
    #expect(content.error?.kind == .limit)
    #expect(content.text.count <= 1 << 20)
  }

  @Test(arguments: [1, 5, 65_536]) func `is imported from any source`(chunkSize: Int) async throws {
    let tag = EntityDescription(
      name: "Tag",
      attributes: [
        AttributeDescription(name: "id", type: .integer64),
        AttributeDescription(name: "name", type: .string),
      ], identity: ["id"])
    let store = GraphStore(model: try GraphModel(entities: [tag], dialect: .graft))
    let file = try TemporaryFile(PackedSamples.zstd, name: "tags.json.zst")
    var options = ImportOptions()
    options.chunkSize = chunkSize
    try await store.importJSON(
      [ImportRoot("Tag")], from: .url(file.url).decompressing(.zstd), options: options)
    #expect(try store.graph.count(of: "Tag") == 40)
  }
}
