import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `The date pattern of a model` {
  @Test(
    arguments: [
      ("YYYY-mm-dd", "yyyy-MM-dd"), ("yyyy-mm-dd", "yyyy-MM-dd"), ("mm/dd/yyyy", "MM/dd/yyyy"),
      ("yyyy-mm-dd HH:mm", "yyyy-MM-dd HH:mm"), ("YYYY-MM-DD", "yyyy-MM-dd"),
      ("YYYY-mm-DD'T'HH:MM:SS", "yyyy-MM-dd'T'HH:mm:ss"), ("dd.MM.yyyy HH:MM", "dd.MM.yyyy HH:mm"),
      ("dd.mm.yyyy HH:MM", "dd.MM.yyyy HH:mm"), ("yyyy-MM-dd hh:mm", "yyyy-MM-dd HH:mm"),
      ("HH:mm a", "hh:mm a"), ("HH:mm:ss.sss", "HH:mm:ss.SSS"),
      ("ddd, d MMM yyyy", "EEE, d MMM yyyy"),
      ("dddd d MMMM yyyy", "EEEE d MMMM yyyy"), ("K:mm", "H:mm"),
    ])
  func `that hardly means what it says has a likelier one`(pattern: String, likely: String) throws {
    #expect(DatePatternDoubt(in: pattern)?.likely == likely)
    let model = try GraphModel(entities: [
      EntityDescription(name: "E", attributes: [.make("a", .date, ["JSONDateFormat": pattern])])
    ])
    #expect(model.warningText.hasPrefix("E.a: the date pattern \"\(pattern)\" reads "))
    #expect(model.warningText.hasSuffix(", did you mean \"\(likely)\"?"))
  }

  @Test func `is told with what its letters mean`() throws {
    let doubt = try #require(DatePatternDoubt(in: "YYYY-mm-dd"))
    #expect(
      doubt.description
        == "reads YYYY as the year to which the week belongs and mm as minutes, "
        + "did you mean \"yyyy-MM-dd\"?")
  }

  @Test(arguments: [
    "yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm:ss.SSSZZZZZ", "EEE MMM dd HH:mm:ss Z yyyy", "YYYY-'W'ww-e",
    "yyyy-DDD", "h:mm a", "hh:mm:ss a", "HH:mm", "mm:ss", "mm:ss.SSS", "M/d/yy", "LLLL yyyy",
    "h 'o''clock' a", "d. MMMM yyyy", "yyyyMMddHHmmss", "M/d/yyyy H-mm-ss", "h 'mm YYYY' a", "A",
    "kk:mm", "HH 'a' mm",
  ])
  func `that is sound is in no doubt`(pattern: String) {
    #expect(DatePatternDoubt(in: pattern)?.likely == nil)
  }
}
