import Foundation
import GraftExport
import Testing

@testable import Graft

/// A model file has numbers and booleans in the forms that documents have.
@Suite struct `The text of a value in a model file` {
  @Test(arguments: [
    (AttributeType.integer16, AttributeValue.integer(-32768)), (.integer64, .integer(.min)),
    (.integer64, .integer(.max)), (.decimal, .decimal(.greatestFiniteMagnitude)),
    (.decimal, .decimal(-.leastNonzeroMagnitude)), (.double, .double(.leastNonzeroMagnitude)),
    (.double, .double(-.greatestFiniteMagnitude)), (.double, .double(1e16)),
    (.double, .double(0.1)), (.float, .float(.leastNonzeroMagnitude)),
    (.float, .float(.greatestFiniteMagnitude)), (.float, .float(1e-5)), (.boolean, .boolean(true)),
    (.boolean, .boolean(false)),
  ])
  func `is read as the value that Graft has written`(type: AttributeType, value: AttributeValue) {
    #expect(type.value(from: value.modelFileText) == value)
  }

  @Test(arguments: [
    (AttributeType.integer32, "0", AttributeValue.integer(0)), (.integer32, "-12", .integer(-12)),
    (.integer32, "3.0", .integer(3)), (.integer32, "1e3", .integer(1000)),
    (.decimal, "0.0", .decimal(0)), (.decimal, "-1.50", .decimal(-1.5)),
    (.double, "0.0", .double(0)), (.double, "-0.5", .double(-0.5)),
    (.double, "1e-05", .double(1e-5)),
    (.float, "2", .float(2)), (.boolean, "YES", .boolean(true)), (.boolean, "NO", .boolean(false)),
    (.boolean, "1", .boolean(true)), (.boolean, "false", .boolean(false)),
    (.boolean, "on", .boolean(true)), (.boolean, "F", .boolean(false)),
  ])
  func `may have the forms of Xcode and of documents`(
    type: AttributeType, text: String, value: AttributeValue
  ) {
    #expect(type.value(from: text) == value)
  }

  @Test(arguments: [AttributeType.integer64, .decimal, .double, .float, .boolean])
  func `is refused in any other form`(type: AttributeType) {
    for text in ["", "+5", ".5", "5.", "007", "0x10", "nan", "inf", "1 ", "٣", "1e999", "maybe"] {
      #expect(type.value(from: text) == nil, "\(text)")
    }
  }

  @Test func `of an integer is refused with a fraction, or beyond its range`() {
    #expect(AttributeType.integer64.value(from: "2.5") == nil)
    #expect(AttributeType.integer16.value(from: "32768") == nil)
    #expect(AttributeType.integer64.value(from: "9223372036854775808") == nil)
  }
}
