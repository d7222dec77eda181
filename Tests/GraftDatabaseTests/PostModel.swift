@testable import Graft
@testable import GraftTestSupport

extension GraphModel {
  /// Posts and their authors.
  static func posts() throws -> GraphModel {
    try GraphModel(
      entities: [
        .make("Post", [.make("text")], [.make("author", to: "User", inverse: "posts")]),
        .make("User", [.make("name")], [.make("posts", to: "Post", many: true, inverse: "author")]),
      ], dialect: .graft)
  }
}
