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

  /// A number from 0 to below `bound`.
  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(max(bound, 1))).high)
  }

  /// Whether an event of the given probability, in percent, happens.
  mutating func percent(_ probability: Int) -> Bool {
    below(100) < probability
  }

  /// A number below `bound` that is small far more often than large: each doubling is equally
  /// likely, as in Zipf's law.
  mutating func rank(below bound: Int) -> Int {
    let doublings = Int.bitWidth - max(bound, 1).leadingZeroBitCount
    return below(min(bound, 1 << (1 + below(doublings))))
  }

  mutating func pick(_ choices: [String]) -> String {
    choices[below(choices.count)]
  }
}
