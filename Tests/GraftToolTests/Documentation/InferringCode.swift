import Foundation
import Graft
import GraftInference

@testable import GraftTestSupport

enum Inferring: CodeOfPage {
  static func imported(_ document: Data) throws -> GraphStore {
    let inference = ModelInference()
    try inference.parse(document)
    let inferred = try inference.finish()
    let store = GraphStore(model: try inferred.graphModel())
    try store.importJSON(inferred.roots.compactMap { $0?.importRoot }, from: document)
    return store
  }
}
