/// Growing bytes of compact JSON, written the way servers write it.
struct JSONBytes {
  private(set) var bytes: [UInt8] = []

  /// A way to write characters.
  enum Spelling {
    /// As UTF-8.
    case plain
    /// Everything beyond ASCII as `\u` escapes, in surrogate pairs where needed.
    case escaped
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Appends JSON unchanged.
  mutating func raw(_ json: String) {
    bytes.append(contentsOf: json.utf8)
  }

  mutating func number(_ value: Int) {
    raw(String(value))
  }

  /// Appends the inside of a JSON string.
  mutating func text(_ text: String, _ spelling: Spelling = .plain) {
    for character in text.unicodeScalars {
      switch character {
      case "\"", "\\", "/":
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(UInt8(truncatingIfNeeded: character.value))
      case "\n":
        raw("\\n")
      case _ where character.isASCII || spelling == .plain:
        bytes.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
      default:
        for unit in UTF16.encode(character) ?? UTF16.encodedReplacementCharacter {
          escape(unit)
        }
      }
    }
  }

  private mutating func escape(_ unit: UInt16) {
    raw("\\u")
    for shift in stride(from: 12, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 15
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}

/// A seeded generator of random numbers that gives the same numbers on every machine and with every
/// version of Swift.
///
/// The standard library's `random(in:using:)` may change how it maps bits to ranges, so the mapping
/// is here too.
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to below `bound`.
  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(max(bound, 1))).high)
  }

  /// Returns true with the given probability, in percent.
  mutating func percent(_ probability: Int) -> Bool {
    below(100) < probability
  }

  /// Returns a number below `bound` that is small far more often than large: each doubling is
  /// equally likely, as in Zipf's law.
  mutating func rank(below bound: Int) -> Int {
    let doublings = Int.bitWidth - max(bound, 1).leadingZeroBitCount
    return below(min(bound, 1 << (1 + below(doublings))))
  }

  mutating func pick(_ choices: [String]) -> String {
    choices[below(choices.count)]
  }
}
