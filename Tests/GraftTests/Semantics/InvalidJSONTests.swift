import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Invalid JSON, truncated input` {
  private static let model: [EntityDescription] = [.make("Hero", [.make("name")])]

  /// Texts that begin well, and where the fault lies.
  static let faults = [
    (#"[{"id":2},{"id":3}"#, "1:19: "), (#"[{"id":2},"#, "1:11: "), (#"[{"id":2"#, "1:9: "),
    ("[{\"id\":2}\n", "2:1: "), (#"[{"id":2}}"#, "1:10: "), (#"[{"id":2},]"#, "1:11: "),
    (#"[{"id":2}]]"#, "1:11: "), (#"[{"id":2,"name":"x]"#, "1:20: "),
    (#"[{"id":2,"name":nul}]"#, "1:20: "), (#"[{"id":02}]"#, "1:"), ("", "1:1: "),
  ]

  @Test(arguments: Dialect.allCases, ImportOptions.ErrorPolicy.allCases)
  func `is an error with its place under every policy, and nothing is published`(
    dialect: Dialect, policy: ImportOptions.ErrorPolicy
  ) throws {
    for (json, place) in Self.faults {
      let result = try outcome(
        of: #"{"id":1}"#, json, in: dialect, for: Self.model, .with { $0.errorPolicy = policy })
      #expect(result.first?.hasPrefix("! \(place)") == true, "\(json): \(result)")
    }
  }

  @Test(arguments: Dialect.allCases)
  func `is not what follows a byte order mark`(dialect: Dialect) throws {
    let result = try outcome(of: "\u{FEFF}{\"id\":1}", in: dialect, for: Self.model)
    #expect(result == ["Hero/1 id: 1"])
  }
}
