import Foundation
import Graft
import Testing

@testable import GraftTestSupport

private struct Gauge: Entity {
  let id = Attribute<Int>()
  let value = Attribute<Double>()
  let maybe = Attribute<Int?>()
  let isEven = Attribute<Bool>()
  static let identity = [\Self.id]
}

/// A type that must not get a column: it is narrower than the cells in which it is kept.
private struct Grade: ColumnElement {
  let number: Int32

  static var attributeCodec: AttributeCodec<Grade> {
    AttributeCodec(storedAs: Int32.self, placeholder: Grade(number: 0), decode: Grade.init) {
      $0.number
    }
  }
}

private struct Graded: Entity {
  let id = Attribute<Int>()
  let grade = Attribute<Grade>()
  static let identity = [\Self.id]
}

@Suite struct `A column` {
  private func graph(_ count: Int) throws -> Graph {
    let store = try GraphStore(for: Gauge.self)
    let rows = (0..<count).map { row in
      """
      {"id": \(row), "value": \(row).5, "isEven": \(row % 2 == 0)\(row % 3 == 0 ? ", \"maybe\": \(row)" : "")}
      """
    }
    try store.importJSON(Gauge.self, from: Data("[\(rows.joined(separator: ","))]".utf8))
    return store.graph
  }

  @Test(arguments: [0, 1, 63, 64, 65, 1024, 3000])
  func `has the values of all objects in order`(_ count: Int) throws {
    let objects = try graph(count).objects(Gauge.self)
    #expect(objects.column(\.id).elementsEqual(objects.lazy.map(\.id)))
    #expect(objects.column(\.value).elementsEqual(objects.lazy.map(\.value)))
    #expect(objects.column(\.isEven).elementsEqual(objects.lazy.map(\.isEven)))
    #expect(objects.column(\.id).count == count)
  }

  @Test(arguments: [1, 64, 3000])
  func `passes over objects without a value`(_ count: Int) throws {
    let objects = try graph(count).objects(Gauge.self)
    #expect(objects.column(\.maybe).elementsEqual(objects.compactMap(\.maybe)))
  }

  @Test(.isToldAtOnce) func `of a type that is kept in another form ends the program`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try GraphStore(for: Graded.self)
      _ = store.graph.objects(Graded.self).column(\.grade)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Graded.grade is kept as Integer 32, which is not read as Grade"))
  }
}
