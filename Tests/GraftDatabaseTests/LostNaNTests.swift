import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// SQLite keeps no NaN, and an attribute that has one would come back without a value.
@Suite struct `A NaN in a database` {
  @Test(arguments: DatabaseKind.present, [AttributeType.double, .float, .date])
  func `is kept or refused, and never lost`(kind: DatabaseKind, type: AttributeType) throws {
    let model = try GraphModel(
      entities: [
        .make("T", [AttributeDescription(name: "v", type: type, isOptional: false)])
      ], dialect: .graft)
    let value: AttributeValue =
      switch type {
      case .double: .double(.nan)
      case .float: .float(.nan)
      default: .date(Date(timeIntervalSinceReferenceDate: .nan))
      }
    let place = try TrialDatabase(kind)
    let good: AttributeValue =
      switch type {
      case .double: .double(1)
      case .float: .float(1)
      default: .date(Date(timeIntervalSinceReferenceDate: 1))
      }
    let store = try GraphStore(place.open(model))
    try store.write { try $0.insert("T", ["id": .integer(1), "v": good]) }
    let isKept = kind.isOnServer && type != .date
    for write in [
      { (graph: MutableGraph) throws in _ = try graph.insert("T", ["id": .integer(2), "v": value])
      },
      { graph in try graph.findOrInsert("T", identifiedBy: ["id": .integer(1)])["v"] = value },
    ] {
      if isKept {
        try store.write(write)
      } else {
        let error = #expect(throws: StoreError.self) { try store.write(write) }
        #expect(error?.property == "v" || kind.isOnServer, "\(String(describing: error))")
      }
    }
    let texts = try place.open(model).graph().objects("T").map { $0["v"]?.text ?? "none" }
    #expect(texts == (isKept ? ["nan", "nan"] : [good.text]))
    #expect(try store.graph.objects("T").map { $0["v"]?.text ?? "none" } == texts)
  }
}
