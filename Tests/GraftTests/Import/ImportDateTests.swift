import Testing

@testable import Graft
@testable import GraftTestSupport

/// Reads a date by the attribute's format; `!` where the import fails.
@Suite struct `A date` {
  private func read(_ json: String, _ format: String?) throws -> String {
    try Box(.date, format.map { ["JSONDateFormat": $0] } ?? [:]).value(of: json)
  }

  @Test(arguments: [
    (#""2012-09-24T03:35:21.25Z""#, "2012-09-24T03:35:21.250Z"),
    (#""2012-09-24T03:35:21,250000000Z""#, "2012-09-24T03:35:21.250Z"),
    (#""2012-09-24T03:35Z""#, "2012-09-24T03:35:00Z"),
    (#""1969-12-31""#, "1969-12-31T00:00:00Z"),
    (#""2000-02-29""#, "2000-02-29T00:00:00Z"), (#""0001-01-01""#, "0001-01-01T00:00:00Z"),
    (#""Tue, 15 Nov 1994 12:45:26 GMT""#, "1994-11-15T12:45:26Z"),
    (#""15 Nov 1994 12:45:26 +0100""#, "1994-11-15T11:45:26Z"),
    ("1348457721.5", "2012-09-24T03:35:21.500Z"), ("0", "1970-01-01T00:00:00Z"),
    ("-1", "1969-12-31T23:59:59Z"),
  ])
  func `is recognised in unusual forms too`(json: String, expected: String) throws {
    #expect(try read(json, nil) == "\"\(expected)\"")
    #expect(try read(json, "auto") == "\"\(expected)\"")
  }

  @Test(arguments: DateRowTests.forms)
  func `is recognised by the format auto as without one`(json: String, expected: String) throws {
    #expect(try read(json, "auto") == "\"\(expected)\"")
  }

  @Test(arguments: [
    #""2013-02-29""#, #""2012-13-01""#, #""2012-09-24T24:01:00Z""#, #""2012-09-24T03:60:00Z""#,
    #""2012-09-24T03:35:21Zulu""#, #""2012-9-24""#, #""yesterday""#, "true", "1e300",
    #""2012-09-24 and more""#, #"" 2012-09-24""#,
  ])
  func `that does not exist is refused`(json: String) throws {
    #expect(try read(json, nil) == "!")
  }

  @Test(arguments: [
    ("iso8601", #""Tue, 15 Nov 1994 12:45:26 GMT""#, "!"),
    ("unix", #""1348457721.25""#, "2012-09-24T03:35:21.250Z"),
    ("unix", #""2012-09-24""#, "!"), ("unix", "true", "!"),
    ("unix-ms", "1348457721250", "2012-09-24T03:35:21.250Z"),
    ("unix-ms", "1e300", "!"),
    ("yyyy-MM-dd", #""1939-05-01""#, "1939-05-01T00:00:00Z"), ("yyyy-MM-dd", "1939", "!"),
    ("yyyy-MM-dd", #""1939-05-01T00:00""#, "!"),
    ("yyyyMMddHHmmss", #""20120924033521""#, "2012-09-24T03:35:21Z"),
    ("d.M.yyyy", #""4.9.2012""#, "2012-09-04T00:00:00Z"),
    ("dd/MM/yy", #""24/09/49""#, "2049-09-24T00:00:00Z"),
    ("dd/MM/yy", #""24/09/50""#, "1950-09-24T00:00:00Z"),
    ("yyyy-MM-dd'T'HH:mm:ss.SSSZ", #""2012-09-24T05:35:21.250+0200""#, "2012-09-24T03:35:21.250Z"),
    ("yyyy-MM-dd'T'HH:mm:ssXXX", #""2012-09-24T05:35:21+02:00""#, "2012-09-24T03:35:21Z"),
    ("yyyy-MM-dd'T'HH:mm:ssXXX", #""2012-09-24T03:35:21Z""#, "2012-09-24T03:35:21Z"),
    ("h 'o''clock' a, d MMMM yyyy", #""3 o'clock PM, 24 September 2012""#, "2012-09-24T15:00:00Z"),
    ("yyyy-MM-dd hh:mm a", #""2012-09-24 12:05 AM""#, "2012-09-24T00:05:00Z"),
    ("yyyy-MM-dd hh:mm a", #""2012-09-24 12:05 PM""#, "2012-09-24T12:05:00Z"),
    ("yyyy-MM-dd hh:mm a", #""2012-09-24 13:05 PM""#, "!"),
    ("EEEE, d MMM yyyy", #""Monday, 24 Sep 2012""#, "2012-09-24T00:00:00Z"),
    ("EEE MMM dd HH:mm:ss Z yyyy", #""Mon Sep 24 03:35:21 +0000 2012""#, "2012-09-24T03:35:21Z"),
    ("yyyy-D", #""2012-268""#, "2012-09-24T00:00:00Z"), ("yyyy-D", #""today""#, "!"),
  ])
  func `is read by its format alone`(format: String, json: String, expected: String) throws {
    #expect(try read(json, format) == (expected == "!" ? "!" : "\"\(expected)\""))
  }

  @Test func `that cannot be read says what was expected and what was found`() throws {
    let trial = try ImportTrial([
      .make("Hero", identity: "", [.make("born", .date, ["JSONDateFormat": "yyyy-MM-dd"])])
    ])
    #expect(
      trial.failure(#"{"heroes": [{}, {"born": 1939}]}"#, at: "heroes")
        == #"1:26: $.heroes[1].born: expected a date ("yyyy-MM-dd"), found the number 1939"#)
  }

  @Test(arguments: ["auto", "iso8601", "unix", "unix-ms", "yyyy"])
  func `of empty text or null is none`(format: String) throws {
    #expect(try read(#""""#, format) == "-")
    #expect(try read("null", format) == "-")
  }
}
