import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Checks dates at the ends of the range that can be written, and between two milliseconds.
@Suite struct `An exported date` {
  private static func trial(_ format: String?) throws -> ImportTrial {
    let notes = format.map { ["JSONDateFormat": $0] } ?? [:]
    return try ImportTrial([.make("Box", [.make("at", .date, notes)])])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var format: String?
    var json: String
    var isRead: Bool
    var testDescription: String { "\(format ?? "auto") \(json)" }
  }

  /// The first and the last date of each form, and those next to them.
  static let ends = [
    Case(format: "unix", json: "253402300799", isRead: true),
    Case(format: "unix", json: "253402300799.9999", isRead: true),
    Case(format: "unix", json: "253402300800", isRead: false),
    Case(format: "unix", json: "-62167219200", isRead: true),
    Case(format: "unix", json: "-62167219201", isRead: true),
    Case(format: "unix", json: "-377705116800", isRead: true),
    Case(format: "unix", json: "-377705116801", isRead: false),
    Case(format: "unix-ms", json: "253402300799999", isRead: true),
    Case(format: "unix-ms", json: "253402300800000", isRead: false),
    Case(format: "unix-ms", json: "-377705116800000", isRead: true),
    Case(format: nil, json: "253402300799", isRead: true),
    Case(format: nil, json: "253402300800", isRead: false),
    Case(format: nil, json: #""+10000-01-01""#, isRead: true),
    Case(format: nil, json: #""+33000-01-01T00:00:00Z""#, isRead: true),
    Case(format: nil, json: #""+34000-01-01T00:00:00Z""#, isRead: false),
    Case(format: "iso8601", json: #""-9999-01-01""#, isRead: true),
    Case(format: "iso8601", json: #""-40000-01-01""#, isRead: false),
    Case(format: "yyyy-MM-dd", json: #""9999-12-31""#, isRead: true),
    Case(format: "yyyyyMMdd", json: #""100000101""#, isRead: false),
  ]

  @Test(arguments: ends)
  func `that is read can be written and read again`(_ end: Case) throws {
    let trial = try Self.trial(end.format)
    let json = #"[{"id":1,"at":\#(end.json)}]"#
    guard end.isRead else {
      #expect(throws: ImportError.self) { try trial.load(json) }
      return
    }
    try trial.load(json)
    let exporter = try JSONExporter(model: trial.store.model)
    let written = try exporter.data(.graph(trial.store.graph))
    let again = try Self.trial(end.format)
    try again.load(String(decoding: written, as: UTF8.self), at: "Box")
    let difference = try Self.date(again).timeIntervalSince(Self.date(trial))
    #expect(abs(difference) <= 0.001, "\(String(decoding: written, as: UTF8.self))")
  }

  private static func date(_ trial: ImportTrial) throws -> Date {
    let object = try #require(try trial.store.graph.objects("Box").first)
    guard case .date(let date)? = object["at"] else {
      Issue.record("there is no date")
      return .distantPast
    }
    return date
  }

  @Test(arguments: [nil, "unix", "unix-ms", "iso8601", "yyyy-MM-dd'T'HH:mm:ss.SSSSSS"])
  func `with fractions of a millisecond is written with a notice that counts`(
    _ format: String?
  ) throws {
    let isText = format == "iso8601" || format?.contains("yyyy") == true
    let factor = format == "unix-ms" ? 1000.0 : 1
    func value(_ fraction: Double) -> String {
      isText
        ? #""2024-05-06T07:08:09.\#(String(format: "%06d", Int((fraction * 1e6).rounded())))""#
        : "\((1_714_979_289 + fraction) * factor)"
    }
    let trial = try Self.trial(format)
    let values = [0, 0.5, 0.25, 0.123, 0.999, 0.1234, 0.00025, 0.9994, 0.999999].map(value)
    let rows = values.enumerated().map { #"{"id":\#($0.offset),"at":\#($0.element)}"# }
    try trial.load("[\(rows.joined(separator: ","))]")
    var report = ExportReport()
    _ = try JSONExporter(model: trial.store.model)
      .data(.graph(trial.store.graph), report: &report)
    #expect(report.losses.map(\.count) == [4], "\(report.losses)")
    #expect(report.losses.first?.property == "at")
    #expect(report.losses.first?.message.contains("rounded to the millisecond") == true)
    let dump = trial.store.graph.writeCanonicalJSON { _ in }
    #expect(dump.losses.map(\.count) == [4])
    #expect(
      dump.losses.first?.message.hasSuffix("(Box/6 and 3 more)") == true, "\(dump.losses)")
  }

  @Test func `that is written as a key is written with a notice of what its pattern leaves out`()
    throws
  {
    let trial = try ImportTrial([
      .make(
        "Day",
        [
          AttributeDescription(
            name: "at", type: .date, defaultValue: .date(Date(timeIntervalSince1970: 0.5)),
            userInfo: ["JSONKeyPath": "@key", "JSONDateFormat": "yyyy-MM-dd"])
        ])
    ])
    try trial.load(#"{"2024-05-06":{"id":1}}"#, at: "*")
    var report = ExportReport()
    let exporter = try JSONExporter(model: trial.store.model)
    _ = try exporter.data(.graph(trial.store.graph), report: &report)
    #expect(report.losses.isEmpty)
    try trial.load(#"[{"id":2}]"#)
    _ = try exporter.data(.graph(trial.store.graph), report: &report)
    #expect(report.losses.map(\.property) == ["at"])
    #expect(report.losses.first?.message.contains("part of the date is not written") == true)
    #expect(report.losses.map(\.count) == [1])
  }

  @Test func `with whole milliseconds is written without a notice, whatever the year`() throws {
    let trial = try Self.trial("iso8601")
    var random = SeededGenerator(seed: 11)
    let rows = (0..<500).map { number in
      let year = String(format: "%04d", Int.random(in: 1...9999, using: &random))
      let fraction = String(format: "%03d", Int.random(in: 0...999, using: &random))
      return #"{"id":\#(number),"at":"\#(year)-03-04T05:06:07.\#(fraction)Z"}"#
    }
    try trial.load("[\(rows.joined(separator: ","))]")
    #expect(trial.store.graph.writeCanonicalJSON { _ in }.losses.isEmpty)
  }
}
