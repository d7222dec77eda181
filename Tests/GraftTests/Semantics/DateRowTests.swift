import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite("Date") struct DateRowTests {
  private static let moment = "2012-09-24T03:35:21Z"

  /// The forms that every dialect reads without a format: the same moment, or its day.
  static let forms = [
    (#""2012-09-24T03:35:21Z""#, moment), (#""2012-09-24T03:35:21.0Z""#, moment),
    (#""2012-09-24T05:35:21+02:00""#, moment), (#""2012-09-23T20:35:21-0700""#, moment),
    (#""2012-09-24 03:35:21""#, moment), (#""2012-09-24""#, "2012-09-24T00:00:00Z"),
    ("1348457721", moment), (#""1348457721""#, moment), ("1348457721.0", moment),
    (#""Mon, 24 Sep 2012 03:35:21 GMT""#, moment), (#""Mon Sep 24 03:35:21 +0000 2012""#, moment),
  ]

  @Test(arguments: Dialect.allCases)
  func `is ISO 8601 or a number of seconds where no format is given`(dialect: Dialect) throws {
    for (json, expected) in Self.forms {
      let result = try outcome(
        of: #"{"id":1,"at":\#(json)}"#, in: dialect, for: [.make("Box", [.make("at", .date)])])
      #expect(result == [#"Box/1 at: "\#(expected)", id: 1"#], "\(json)")
    }
  }

  /// The attribute's own format, in the dialects that have a word for it.
  static let formats: [(Dialect, [String: String], json: String, isRead: Bool)] = [
    (.graft, ["JSONDateFormat": "auto"], "1348457721", true),
    (.graft, ["JSONDateFormat": "iso8601"], #""2012-09-24T03:35:21Z""#, true),
    (.graft, ["JSONDateFormat": "iso8601"], "1348457721", false),
    (.graft, ["JSONDateFormat": "unix"], "1348457721", true),
    (.graft, ["JSONDateFormat": "unix"], #""2012-09-24T03:35:21Z""#, false),
    (.graft, ["JSONDateFormat": "unix-ms"], "1348457721000", true),
    (.graft, ["JSONDateFormat": "unix-ms"], #""1348457721000""#, true),
    (.graft, ["JSONDateFormat": "d.M.yyyy, H:mm:ss"], #""24.9.2012, 3:35:21""#, true),
    (.graft, ["JSONDateFormat": "d.M.yyyy, H:mm:ss"], #""2012-09-24T03:35:21Z""#, false),
    (.magicalrecord, ["dateFormat": "UnixTime"], "1348457721000", true),
    (.magicalrecord, ["dateFormat": "d.M.yyyy H-mm-ss"], #""24.9.2012 3-35-21""#, true),
    (.magicalrecord, ["dateFormat": "d.M.yyyy H-mm-ss"], #""2012-09-24T03:35:21Z""#, false),
  ]

  @Test(arguments: formats)
  func `is read by the attribute's format`(
    dialect: Dialect, notes: [String: String], json: String, isRead: Bool
  ) throws {
    let trial = try ImportTrial(
      [.make("Box", identity: "", [.make("at", .date, notes)])], dialect: dialect)
    let result = try trial.outcome(of: #"{"at":\#(json)}"#)
    if isRead {
      #expect(result == [#"Box/1 at: "\#(Self.moment)""#])
    } else {
      #expect(result.first?.hasPrefix("! 1:7: $.at: expected ") == true)
    }
  }

  @Test(arguments: Dialect.allCases)
  func `is read by the format that the import gives`(dialect: Dialect) throws {
    for (format, json) in [
      ("unix-ms", "1348457721000"), ("d.M.yyyy H-mm-ss", #""24.9.2012 3-35-21""#),
    ] {
      let options = ImportOptions.with {
        $0.mapping = ["Box": ["at": .property("at", format: format)]]
      }
      let result = try outcome(
        of: #"{"id":1,"at":\#(json)}"#, in: dialect, for: [.make("Box", [.make("at", .date)])],
        options)
      #expect(result == [#"Box/1 at: "\#(Self.moment)", id: 1"#])
    }
  }
}
