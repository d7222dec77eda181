/// Documents as programs write them: records of one kind, lists, dictionaries and identifiers, with some damage.
enum RandomRecords {
  /// The kind of the values at a place.
  private indirect enum Kind {
    case number, word, flag, date
    /// A number, a code or an address of few different ones.
    case identifier(Int)
    case list(Kind)
    case record([(key: String, kind: Kind, share: Int)])
    /// Numbers, codes, words or a mixture as keys.
    case dictionary(Int, Kind)
  }

  private static let keys = [
    "id", "name", "type", "title", "code", "url", "label", "service", "items", "options", "value",
    "mappings", "result", "tags", "owner", "users", "kind", "data", "meta", "count", "parent",
  ]

  /// Makes a document.
  ///
  /// - Parameter random: The generator, whose seed determines the document.
  /// - Returns: The text of the document.
  static func make(_ random: inout SeededGenerator) -> String {
    var kind = Kind.record(record(&random, depth: 4))
    if Int.random(in: 0..<3, using: &random) == 0 { kind = .list(kind) }
    let damage = [0, 0, 2, 8].randomElement(using: &random) ?? 0
    return text(of: kind, &random, damage: damage)
  }

  private static func record(
    _ random: inout SeededGenerator, depth: Int
  ) -> [(key: String, kind: Kind, share: Int)] {
    keys.shuffled(using: &random).prefix(Int.random(in: 1...6, using: &random)).map { key in
      (
        key, kind(&random, depth: depth - 1),
        [100, 100, 100, 80, 50].randomElement(using: &random) ?? 100
      )
    }
  }

  private static func kind(_ random: inout SeededGenerator, depth: Int) -> Kind {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 5), using: &random) {
    case 0: .number
    case 1: .word
    case 2: .flag
    case 3: .date
    case 4, 5: .identifier(Int.random(in: 0..<3, using: &random))
    case 6, 7: .list(kind(&random, depth: depth - 1))
    case 8, 9:
      .dictionary(Int.random(in: 0..<4, using: &random), kind(&random, depth: depth - 1))
    default: .record(record(&random, depth: depth))
    }
  }

  private static func text(
    of kind: Kind, _ random: inout SeededGenerator, damage: Int
  ) -> String {
    if Int.random(in: 0..<100, using: &random) < damage {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return "null"
      case 1: return "[]"
      case 2: return "{}"
      case 3: return "[\(text(of: kind, &random, damage: damage))]"
      default: return #"{"id":\#(text(of: kind, &random, damage: damage))}"#
      }
    }
    let digit = Int.random(in: 1...9, using: &random)
    switch kind {
    case .number: return "\(digit * 13)"
    case .word: return #""\#(["ann", "ben", "a b", "<p>"].randomElement(using: &random) ?? "")""#
    case .flag: return digit > 4 ? "true" : "false"
    case .date: return #""2024-0\#(digit)-11T10:00:00Z""#
    case .identifier(0): return "\(digit)"
    case .identifier(1): return #""k\#(digit)""#
    case .identifier: return #""https://example.com/\#(digit)""#
    case .list(let element):
      let count = Int.random(in: 0...5, using: &random)
      return
        "[\((0..<count).map { _ in text(of: element, &random, damage: damage) }.joined(separator: ","))]"
    case .record(let members):
      var texts: [String] = []
      for member in members where Int.random(in: 0..<100, using: &random) < member.share {
        texts.append(#""\#(member.key)":\#(text(of: member.kind, &random, damage: damage))"#)
      }
      return "{\(texts.joined(separator: ","))}"
    case .dictionary(let form, let value):
      let names: [[String]] = [
        ["1", "2", "3", "17", "20"], ["k1", "k2", "k31", "k4"], Array(keys.prefix(6)),
        ["0", "1", "a", "b", "x-1", "2024-01-01", "A_B"],
      ]
      let count = Int.random(in: 0...5, using: &random)
      let texts = names[form].shuffled(using: &random).prefix(count).map { key in
        #""\#(key)":\#(text(of: value, &random, damage: damage))"#
      }
      return "{\(texts.joined(separator: ","))}"
    }
  }
}
