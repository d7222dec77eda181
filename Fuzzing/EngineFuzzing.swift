// A target for libFuzzer. It checks that both engines send the same events, with the same places, and throw the
// same error for a text: with each set of instructions, at any cut, skipping or not.
//
// Scripts/fuzz compiles this file together with the rooms Support and Parsing and with the helpers by which the
// tests compare readings, all in one module.

/// An input of the fuzzer: the options for reading, and the text to read.
private struct Trial {
  /// The options that the bits of the first byte choose: a stream, half surrogates replaced, low limits.
  let options: ParserOptions
  let text: [UInt8]
  /// A number that looks random and follows from the input.
  let hash: UInt64

  /// - Parameter input: A byte of options, a byte of spaces that move the text in its block of 64 bytes, and
  ///   the text.
  init?(_ input: some Collection<UInt8>) {
    guard input.count >= 2 else { return nil }
    let bytes = Array(input)
    var options = ParserOptions()
    if bytes[0] & 1 != 0 { options.format = .ndjson }
    if bytes[0] & 2 != 0 { options.loneSurrogates = .replaced }
    if bytes[0] & 4 != 0 {
      options.limits = ParserLimits(depth: 4, tokenBytes: 40, keyBytes: 12, numberBytes: 10)
    }
    self.options = options
    text = [UInt8](repeating: 0x20, count: Int(bytes[1] % 66)) + bytes[2...]
    // FNV-1a, by G. Fowler, L. C. Noll and K.-P. Vo.
    hash = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  func run() throws {
    let instructions = ScanInstructions.allCases.filter(\.isAvailable)
    let chosen = instructions[Int(hash % UInt64(instructions.count))]
    let chunk = 1 + Int(hash >> 8 % 70)
    let cuts = [hash >> 16, hash >> 32, hash >> 48].map { Int($0 % UInt64(text.count + 1)) }
      .sorted()

    let expected = try Reading(text, options: options.yajl)
    check(try Reading(text, options: options.native(chosen)), expected, "\(chosen)")
    check(
      try Reading(text, chunk: chunk, options: options.native(chosen)), expected,
      "\(chosen), chunks of \(chunk)")
    check(
      try Reading(text, cuts: cuts, options: options.native(chosen)), expected,
      "\(chosen), cut at \(cuts)")
    check(
      try Reading(text, cuts: cuts, options: options.yajl), expected, "yajl, cut at \(cuts)")

    var withoutPlaces = expected
    withoutPlaces.events = try Reading(text, options: options.yajl, places: false).events
    for other in instructions where other != chosen {
      check(
        try Reading(text, options: options.native(other), places: false), withoutPlaces, "\(other)")
    }

    let part = try Reading(partOf: text, chunk: text.count, options: options.yajl)
    check(
      try Reading(partOf: text, chunk: text.count, options: options.native(chosen)), part,
      "\(chosen), skipping")
    check(
      try Reading(partOf: text, chunk: chunk, options: options.native(chosen)), part,
      "\(chosen), skipping, chunks of \(chunk)")
    // What is skipped is checked as all else is.
    guard part.error == expected.error else { differ(part, expected, "yajl, skipping") }
  }

  private func check(_ reading: Reading, _ expected: Reading, _ how: String) {
    guard reading == expected else { differ(reading, expected, how) }
  }

  private func differ(_ reading: Reading, _ expected: Reading, _ how: String) -> Never {
    let place =
      zip(reading.events, expected.events).enumerated().first { $0.element.0 != $0.element.1 }?
      .offset ?? min(reading.events.count, expected.events.count)
    fatalError(
      """
      \(how), \(options)
      text:     \(String(decoding: text, as: UTF8.self).debugDescription)
      bytes:    \(text)
      expected: \(describe(expected, place))
      found:    \(describe(reading, place))
      """)
  }

  private func describe(_ reading: Reading, _ place: Int) -> String {
    let event = reading.events.dropFirst(place).first ?? "the end"
    let error =
      reading.error.map { "\($0.kind) error at \($0.location.offset), \($0)" } ?? "no error"
    return "\(event) and \(error)".debugDescription
  }
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try Trial(UnsafeBufferPointer(start: start, count: count))?.run()
  } catch {
    fatalError("an error that is no ParsingError: \(error)")
  }
  return 0
}
