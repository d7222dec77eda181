/// The values of a column that the Swift type of its attribute can hold.
///
/// For a `UInt8` in an `Integer 16` column these are 0 to 255, for an enumeration the raw values of
/// its cases.
///
/// All domains count as equal: a model of types means the same as a model from a file, which cannot
/// name the types.
struct ValueDomain: Sendable, Hashable {
  /// A description of the values that belong to the domain.
  let expectation: String
  let admits: @Sendable (RawValue) -> Bool
  /// Returns a value in the form in which the Swift type writes it; nil if the column has each value in one form.
  let normalize: (@Sendable (RawValue) -> AttributeValue?)?
  /// Whether some value of the column is outside the domain.
  let isLimited: Bool

  /// All values of the column.
  static let everything = ValueDomain()

  private init() {
    expectation = ""
    admits = { _ in true }
    normalize = nil
    isLimited = false
  }

  init(
    expectation: String, normalize: (@Sendable (RawValue) -> AttributeValue?)? = nil,
    admits: @escaping @Sendable (RawValue) -> Bool
  ) {
    self.expectation = expectation
    self.normalize = normalize
    self.admits = admits
    isLimited = true
  }

  /// Creates the domain of some values of a type.
  init(_ values: [AttributeValue], of type: AttributeType) {
    let words = values.prefix(9).map(\.shortText)
    // Strings may be many. The other values are few: a set of them would cost a specialization of `Set`.
    let strings = Set(values.compactMap { if case .string(let text) = $0 { text } else { nil } })
    self.init(
      expectation: "one of \(words.joined(separator: ", "))" + (values.count > 9 ? " …" : "")
    ) { raw in
      switch AttributeValue(raw, type: type) {
      case .string(let text): strings.contains(text)
      case let value?: values.contains(value)
      case nil: false
      }
    }
  }

  static func == (first: ValueDomain, second: ValueDomain) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
