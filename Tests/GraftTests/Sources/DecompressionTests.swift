import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Compressed bytes` {
  /// Compressed data of a kind that is built in, with its header `Content-Encoding` where that is needed.
  private static let samples: [(data: Data, encoding: String?)] = [
    (PackedSamples.gzip, nil), (PackedSamples.zlib, nil), (PackedSamples.zlib, "deflate"),
    (GzipWriter.pack("[1,", "2]"), nil), (GzipWriter.zlib("[1,", "2]"), nil),
    (GzipWriter.zlib("[1,", "2]"), "deflate"),
  ]

  @Test(arguments: samples.indices)
  func `give their text and their errors however they are cut`(number: Int) {
    let (data, encoding) = Self.samples[number]
    let whole = UnpackedContent(of: data, encoding: encoding)
    #expect(whole.error == nil)
    #expect(whole.text == Data((number < 3 ? PackedSamples.text : "[1,2]").utf8))
    for size in [1, 2, 7] {
      #expect(UnpackedContent(of: data, inPiecesOf: size, encoding: encoding) == whole)
    }
    for index in data.indices {
      var damaged = data
      damaged[index] ^= 0x15
      let expected = UnpackedContent(of: damaged, encoding: encoding)
      for size in [1, 3] {
        let content = UnpackedContent(of: damaged, inPiecesOf: size, encoding: encoding)
        if content != expected { #expect(content == expected, "byte \(index)") }
      }
    }
  }

  @Test(arguments: samples.indices)
  func `are an error wherever they are cut off`(number: Int) {
    let (data, encoding) = Self.samples[number]
    for count in 1..<data.count {
      let content = UnpackedContent(of: data.prefix(count), encoding: encoding)
      // One byte of zlib's signature might be a text.
      if number % 3 == 1, count == 1 { continue }
      #expect(
        content.error?.message.hasSuffix(" data is cut off at byte \(count), before its end")
          == true)
    }
  }

  @Test(arguments: [
    ("gzip", PackedSamples.gzip), ("X-GZip", PackedSamples.gzip),
    ("deflate", PackedSamples.zlib), ("identity, Deflate", PackedSamples.zlib),
    ("identity", PackedSamples.gzip), ("", PackedSamples.zlib),
  ])
  func `are told by the header of an answer`(encoding: String, data: Data) {
    let content = UnpackedContent(of: data, encoding: encoding)
    #expect(content.error == nil)
    #expect(content.text == Data(PackedSamples.text.utf8))
  }

  @Test(arguments: ["", "x", "xyz", "(", "(µ", "P*", "P*M", "[1]"], [1, 2, 100])
  func `are not seen in a text that begins like them`(text: String, size: Int) {
    let content = UnpackedContent(of: Data(text.utf8), inPiecesOf: size)
    #expect(content.error == nil)
    #expect(content.text == Data(text.utf8))
  }

  @Test func `in zlib's format are refused if they need a dictionary`() {
    let content = UnpackedContent(of: Data([0x78, 0xBB, 1, 2, 3, 4, 5]))
    #expect(
      content.error?.message
        == "zlib data needs a preset dictionary, which is not supported, at byte 6")
  }

  @Test(arguments: ParserOptions.Engine.allCases)
  func `are named by a parser that is handed them`(engine: ParserOptions.Engine) throws {
    for (data, name) in [
      (PackedSamples.gzip, "gzip"), (PackedSamples.zlib, "zlib"), (PackedSamples.zstd, "zstd"),
    ] {
      let parser = EventParser(sink: EventSink(), options: ParserOptions(engine: engine))
      let error = #expect(throws: ParsingError.self) {
        try Array(data).withRawSpan { try parser.parse($0) }
      }
      #expect(error?.message.hasPrefix("the bytes are compressed by \(name);") == true)
      #expect(error?.message.contains(".decompressing(.zstd)") == (name == "zstd"))
    }
  }
}

@Suite struct `A bomb of compressed bytes` {
  /// Deflated spaces in zlib's format, 258 for each 13 bits: a literal, then copies of it.
  private static func spaces(copies: Int) -> Data {
    let bits =
      "110" + "01010000" + String(repeating: "11000101" + "00000", count: copies) + "0000000"
    var bytes = Data([0x78, 0x9C])
    var rest = Array(bits.utf8)[...]
    while !rest.isEmpty {
      bytes.append(
        rest.prefix(8).enumerated().reduce(0) { $0 | ($1.element & 1) << UInt8($1.offset) })
      rest = rest.dropFirst(8)
    }
    // The check sum of so many spaces: the sum of all bytes and 1, and the sum of these sums.
    let count = 258 * copies + 1
    let sum = (1 + 0x20 * count) % 65_521
    let sumOfSums = (count + 0x10 * count * (count + 1)) % 65_521
    return bytes + withUnsafeBytes(of: UInt32(sumOfSums << 16 | sum).bigEndian) { Data($0) }
  }

  @Test func `ends where its content is more than the ratio allows`() {
    let bomb = Self.spaces(copies: 8_000)
    let (text, byteCount) = (258 * 8_000 + 1, bomb.count)
    #expect(byteCount == 13_009)
    for limit in [1_000, 159, .max] {
      var options = Decompression()
      options.ratioLimit = limit
      let content = UnpackedContent(of: bomb, options)
      #expect(content.error == nil)
      #expect(content.text == Data(repeating: 0x20, count: text))
    }
    for size in [1, 1_000, .max] {
      var options = Decompression()
      options.ratioLimit = 100
      let content = UnpackedContent(of: bomb, inPiecesOf: size, options)
      #expect(content.error?.kind == .limit)
      #expect(content.text.count <= 1 << 20)
      #expect(
        content.error?.message.hasSuffix(
          " grows to more than 100 times its size; if that is right, raise ImportSource.decompression.ratioLimit"
        )
          == true)
    }
  }

  @Test func `is none while it gives less than a mebibyte`() {
    var options = Decompression()
    options.ratioLimit = 1
    let content = UnpackedContent(of: Self.spaces(copies: 4_000), options)
    #expect(content.error == nil)
  }
}
