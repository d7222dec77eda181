import Testing

@testable import Graft
@testable import GraftTestSupport

struct `Laws of cutting` {
  static let formats: [ParserOptions] = [
    ParserOptions(),
    ParserOptions(format: .ndjson),
    ParserOptions(loneSurrogates: .replaced),
    ParserOptions(limits: ParserLimits(depth: 3, tokenBytes: 9, keyBytes: 7, numberBytes: 4)),
  ]

  @Test(arguments: Seeds.some(20, of: 60), formats)
  func `events, places and errors do not depend on the cutting`(
    seed: UInt64, options: ParserOptions
  ) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<12 {
      var text = Array(RandomDocument.make(&random).utf8)
      if options.format == .ndjson { text += Array("\n\(RandomDocument.make(&random))".utf8) }
      if round > 3 { text = RandomDocument.damage(text, &random) }
      let whole = try Reading(text, options: options)
      for size in [1, 2, 3, 5] {
        let cut = try Reading(text, chunk: size, options: options)
        try #require(cut == whole, "\(String(decoding: text, as: UTF8.self)) in chunks of \(size)")
      }
      let cuts = (0..<3).map { _ in Int.random(in: 0...text.count, using: &random) }.sorted()
      let cut = try Reading(text, cuts: cuts, options: options)
      try #require(cut == whole, "\(String(decoding: text, as: UTF8.self)) cut at \(cuts)")
    }
  }
}
