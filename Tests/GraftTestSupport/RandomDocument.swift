@testable import Graft

/// A small generator whose runs can be repeated by their seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }
}

/// Documents of every kind of token, and the same with damage.
enum RandomDocument {
  /// One token of each kind, right and wrong.
  static let tokens: [String] =
    [
      "null", "true", "false", "0", "-0.5e-7", "12345678901234567890", #""""#, #""plain""#,
      #""\"\\\/\b\f\n\r\t""#, #""\u0041\u00e9\u6771""#, #""\ud83d\uDE00""#, #""é東😀""#, #""\\\\""#,
      "{}", "[]", #"{"a":[{"b":{}}]}"#, #"{"\u0061\n":1}"#,
      "\"" + String(repeating: "long ", count: 30) + "\"",
    ] + [
      "nul", "nulll", "truE", "fals", "00", "-", "1.", "1e", "1e+", "+1", ".5", "1.5.2", "0x1",
      "1\"a\"",
      "\"a\"b", #""\x""#, #""\u12g4""#, #""\ud83d""#, #""\ud83dx""#, #""\ud83d\n""#, #""\ude00""#,
      #""\é""#, "\"\\\u{0B}\"", #""\ud83d\u0041""#, #""\ud83d\u12""#, "\"tab\there\"", "\"\u{0B}\"",
      "\u{0C}", "\\",
      #"\u0041"#,
      #"\ud800"#, "é", "😀", "'a'", "{1:2}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "[1,]", "[,]",
      "{,}", "]",
      "}", ":", ",", "\u{0}", "\u{1F}", "\u{7F}", "NaN", "/*", "\"unended", #""\"#, #""\u"#,
      #""\ud8"#,
      #""\ud83d\u"#, "12\u{0B}", #"12\"#, "12é",
    ]

  static func make(_ random: inout SeededGenerator, depth: Int = 0) -> String {
    let space = ["", "", " ", "\n", "\r\n  "].randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<(depth > 4 ? 6 : 9), using: &random) {
    case 0: return space + "null"
    case 1: return space + (Bool.random(using: &random) ? "true" : "false")
    case 2, 3: return space + (numbers.randomElement(using: &random) ?? "0")
    case 4, 5: return space + string(&random)
    case 6, 7:
      let members = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        string(&random) + space + ":" + make(&random, depth: depth + 1)
      }
      return space + "{" + members.joined(separator: ",") + space + "}"
    default:
      let elements = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        make(&random, depth: depth + 1)
      }
      return "[" + elements.joined(separator: "," + space) + "]" + space
    }
  }

  private static let numbers = ["0", "-0", "12", "-7.25", "1e9", "6.02E+23", "1234567890123456789"]
  private static let pieces = [
    "a", "Größe", "東京", "😀", "\\n", "\\\"", "\\\\", "\\u0041", "\\ud83d\\uDE00", "'", "b c", "[",
    "}",
  ]

  private static func string(_ random: inout SeededGenerator) -> String {
    let count = Int.random(in: 0...5, using: &random)
    return "\"" + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      + "\""
  }

  /// Changes, drops or inserts a few bytes.
  static func damage(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var text = text
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...text.count, using: &random)
      let byte = bytes.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where place < text.count: text[place] = byte
      case 1 where place < text.count: text.remove(at: place)
      case 2: text.removeSubrange(place...)
      default: text.insert(byte, at: place)
      }
    }
    return text
  }

  private static let bytes: [UInt8] =
    Array("{}[],:\"\\ \n\tntf01-.eE+udD8cC/'x".utf8) + [
      0x00, 0x0B, 0x0C, 0x1F, 0x7F, 0x80, 0xBF, 0xC0, 0xC3, 0xE0, 0xE3, 0xED, 0xF0, 0xF4, 0xF5,
      0xFF,
    ]
}

extension RandomDocument {
  /// Joins documents as a format has them.
  static func frame(
    _ documents: [String], _ format: ParserOptions.Format, _ random: inout SeededGenerator
  ) -> String {
    let lineEnd = ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n"
    return documents.map { document in
      switch format {
      case .json, .ndjson: return document + "\n"
      case .sequence: return "\u{1E}" + document + "\n"
      case .concatenated:
        // A number or a word needs white space before it.
        let opens = document.first.map { "{[\"".contains($0) } ?? false
        return (opens ? "" : " ") + document
      case .serverSentEvents:
        let lines = document.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let extra = ["", ": comment", "event: x", "id"].randomElement(using: &random) ?? ""
        return (extra.isEmpty ? "" : extra + lineEnd)
          + lines.map { "data: \($0)" + lineEnd }.joined() + lineEnd
      }
    }.joined()
  }
}
