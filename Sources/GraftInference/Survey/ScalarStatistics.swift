import Graft

/// Statistics of the strings and numbers of a place.
struct ScalarStatistics {
  /// The most distinct values that are kept as text.
  static let sampleLimit = 40
  /// The longest text that is kept, in bytes.
  static let sampleBytes = 200

  private(set) var integerCount = 0
  private(set) var fractionCount = 0
  /// The number of integers that do not fit into 64 bits, and of numbers that do not fit into a `Double`.
  private(set) var largeCount = 0
  private(set) var minimum = Int64.max
  private(set) var maximum = Int64.min
  private(set) var leastNumber = Double.infinity
  private(set) var greatestNumber = -Double.infinity

  private(set) var stringCount = 0
  private(set) var emptyStringCount = 0
  /// The bytes of the shortest string that is not empty.
  private(set) var shortest = Int.max
  private(set) var longest = 0
  /// The bytes of all strings.
  private var byteCount = 0
  private(set) var formats = TextFormats.everything

  /// The distinct strings and numbers, by their text.
  private(set) var sketch = ValueSketch()
  /// The texts of the distinct values, by fingerprint; nil if they are too many to keep.
  private(set) var samples: [UInt64: String]? = [:]
  /// The common prefix of the kept texts when they became too many to keep.
  private var earlierPrefix: String?
  /// Some of the texts that were kept before.
  private var earlierExamples: [String] = []
  /// The most texts that are shown as examples.
  private static let exampleLimit = 5

  /// Some of the distinct values, by their text.
  var examples: [String] {
    samples.map { Array($0.values.sorted().prefix(Self.exampleLimit)) } ?? earlierExamples
  }

  /// The texts, where they are few; otherwise some of them.
  var texts: [String] { samples.map { Array($0.values) } ?? earlierExamples }

  /// The least number of distinct strings that the shortest one does not represent.
  private static let manyStrings = 8

  /// The bytes of a usual string: the least if there are few strings, and the average if there are many.
  var usualLength: Int {
    sketch.distinctCount < Self.manyStrings
      ? shortest : byteCount / max(stringCount - emptyStringCount, 1)
  }

  /// The least number that counts or measures few things.
  private static let smallNumber: Int64 = 1000

  /// Whether the values are small numbers, and so often equal to others by chance.
  var areSmall: Bool { integerCount > 0 && maximum < Self.smallNumber }

  @inline(__always)
  mutating func note(string: BorrowedBuffer<UInt8>, _ fingerprint: UInt64) {
    stringCount &+= 1
    byteCount &+= string.count
    if string.isEmpty { emptyStringCount &+= 1 }
    // What occurs again says nothing new; only a number may have had the same text.
    guard sketch.insert(fingerprint) || integerCount | fractionCount != 0 else { return }
    if string.count < shortest, !string.isEmpty { shortest = string.count }
    if string.count > longest { longest = string.count }
    formats.narrow(to: string)
    if samples != nil { keep(fingerprint, string) }
  }

  @inline(__always)
  mutating func note(number: BorrowedBuffer<UInt8>, _ fingerprint: UInt64) {
    guard sketch.insert(fingerprint) || fractionCount | largeCount | stringCount != 0 else {
      // An integer that occurs again says nothing new.
      integerCount &+= 1
      return
    }
    if let value = Self.shortInteger(number) {
      note(integer: value)
    } else if number.contains(where: { $0 == 0x2E || $0 | 0x20 == 0x65 }) {
      noteFraction(number)
    } else if let value = number.withSpan(IntegerText.parse) {
      note(integer: value)
    } else {
      integerCount &+= 1
      largeCount &+= 1
    }
    if samples != nil { keep(fingerprint, number) }
  }

  /// Reads an integer of few digits, as most numbers are; nil for others.
  @inline(__always)
  private static func shortInteger(_ number: BorrowedBuffer<UInt8>) -> Int64? {
    guard number.count <= 18 else { return nil }
    let isNegative = number.first == 0x2D
    var value: Int64 = 0
    for index in (isNegative ? 1 : 0)..<number.count {
      let digit = number[index] &- 0x30
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    return isNegative ? -value : value
  }

  @inline(__always)
  private mutating func note(integer value: Int64) {
    integerCount &+= 1
    if value < minimum { minimum = value }
    if value > maximum { maximum = value }
  }

  @inline(never)
  private mutating func noteFraction(_ number: BorrowedBuffer<UInt8>) {
    fractionCount &+= 1
    // 17 digits distinguish every Double; a longer number is kept by its digits.
    guard let scan = number.withSpan({ NumberScan($0) }), scan.digitCount <= 18,
      let value = scan.double
    else {
      largeCount &+= 1
      return
    }
    leastNumber = min(leastNumber, value)
    greatestNumber = max(greatestNumber, value)
  }

  @inline(never)
  private mutating func keep(_ fingerprint: UInt64, _ text: BorrowedBuffer<UInt8>) {
    guard samples?[fingerprint] == nil else { return }
    guard text.count <= Self.sampleBytes, samples?.count ?? 0 < Self.sampleLimit else {
      earlierPrefix = commonPrefix
      earlierExamples = examples
      samples = nil
      return
    }
    samples?[fingerprint] = String(decoding: text, as: UTF8.self)
  }

  /// Adds the statistics of another place.
  mutating func formUnion(_ other: ScalarStatistics) {
    guard count > 0 else {
      self = other
      return
    }
    integerCount += other.integerCount
    fractionCount += other.fractionCount
    largeCount += other.largeCount
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
    leastNumber = min(leastNumber, other.leastNumber)
    greatestNumber = max(greatestNumber, other.greatestNumber)
    stringCount += other.stringCount
    emptyStringCount += other.emptyStringCount
    shortest = min(shortest, other.shortest)
    longest = max(longest, other.longest)
    byteCount += other.byteCount
    formats.formIntersection(other.formats)
    sketch.formUnion(other.sketch)
    if let mine = samples, let others = other.samples {
      let all = mine.merging(others) { text, _ in text }
      if all.count <= Self.sampleLimit {
        samples = all
        return
      }
    }
    earlierExamples = Array((examples + other.examples).prefix(Self.exampleLimit))
    earlierPrefix = Self.commonPrefix(of: [commonPrefix, other.commonPrefix].compactMap(\.self))
    samples = nil
  }

  /// The common prefix of all texts, as far as they have been kept; nil without any.
  var commonPrefix: String? {
    samples.map { Self.commonPrefix(of: Array($0.values)) } ?? earlierPrefix
  }

  private static func commonPrefix(of texts: [String]) -> String? {
    guard var prefix = texts.first else { return nil }
    for text in texts.dropFirst() { prefix = String(zip(prefix, text).prefix(while: ==).map(\.0)) }
    return prefix
  }

  /// The same without the sketch, which takes the most memory.
  var withoutSketch: ScalarStatistics {
    var statistics = self
    statistics.sketch = ValueSketch()
    return statistics
  }

  /// The same without the empty string, which means no value where others identify something.
  var withoutEmptyString: ScalarStatistics {
    guard emptyStringCount > 0 else { return self }
    var statistics = self
    let empty = Fingerprint.of("")
    statistics.sketch.remove(empty)
    statistics.samples?[empty] = nil
    return statistics
  }

  /// Returns whether both have strings, or both have numbers.
  func mayEqual(_ other: ScalarStatistics) -> Bool {
    stringCount > 0 && other.stringCount > 0
      || stringCount < count && other.stringCount < other.count
  }

  /// The number of strings and numbers.
  var count: Int { stringCount + integerCount + fractionCount }
}
