import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `An identity that is local` {
  /// Surveys with questions, each of which is made from the numbers of the survey and the question.
  private static func surveys(
    owner: String = #""code": "S-N""#, _ question: (Int, Int) -> String
  ) -> String {
    let surveys = (1...4).map { number in
      let questions = (1...3).map { question(number, $0) }.joined(separator: ",")
      return
        #"{\#(owner.replacing("N", with: "\(number)")), "title": "T\#(number)", "questions": [\#(questions)]}"#
    }
    return #"{"surveys": [\#(surveys.joined(separator: ","))]}"#
  }

  @Test(arguments: ["id", "number", "question"])
  func `needs the identifier of the object around`(key: String) throws {
    let trial = try InferenceTrial(
      Self.surveys { survey, number in
        #"{"\#(key)": \#(number), "text": "\#(survey).\#(number)", "points": \#(survey * 7 + number)}"#
      })
    let question = try trial.entity("Question")
    let paths = (question.identity ?? []).compactMap { name in
      question.attributes.first { $0.name == name }.map { $0.paths?.annotation ?? name }
    }
    #expect(paths.sorted() == ["@parent.code", key])
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      // Its text follows from the number, which means the same question everywhere.
      #"{"id": K, "text": "Q K", "answer": "a N.K", "points": P}"#,
      // It is no identifier.
      #"{"level": K, "text": "N.K", "points": P}"#,
      // One number occurs twice in a survey.
      #"{"id": 1, "text": "N.K", "points": P}"#,
      // Nothing but one member differs.
      #"{"id": K, "text": "N.K"}"#,
    ])
  func `is none where the number means something else`(question: String) throws {
    let trial = try InferenceTrial(
      Self.surveys { survey, number in
        question.replacing("N", with: "\(survey)").replacing("K", with: "\(number)")
          .replacing("P", with: "\(survey * 7 + number)")
      })
    #expect(try trial.entity("Question").identity ?? [] == [])
    #expect(try trial.differences() == [])
  }

  @Test func `is none where the object around has no identity`() throws {
    let trial = try InferenceTrial(
      Self.surveys(owner: #""level": 1"#) { survey, number in
        #"{"id": \#(number), "text": "\#(survey).\#(number)", "points": \#(survey * 7 + number)}"#
      })
    #expect(try trial.entity("Question").identity ?? [] == [])
    #expect(try trial.differences() == [])
  }

  @Test func `is dropped where a second look finds two objects of it`() async throws {
    // Few enough for the number of surveys, yet the same twice in one.
    let twice = Self.surveys { survey, number in
      let id = survey == 1 && number == 3 ? 2 : number
      return
        #"{"id": \#(survey == 2 && number == 2 ? 9 : id), "text": "\#(survey).\#(number)", "points": \#(survey * 7 + number)}"#
    }
    let data = Data(twice.utf8)
    let inference = ModelInference()
    try await inference.readDocument(from: .data(data))
    let model = try await inference.finish(readingAgain: [.data(data)])
    let question = try #require(model.entities.first { $0.name == "Question" })
    #expect(question.identity ?? [] == [])
    #expect(!question.attributes.contains { $0.paths?.annotation == "@parent.code" })
  }
}
