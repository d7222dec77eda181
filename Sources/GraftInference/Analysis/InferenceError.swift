public import Foundation
import Graft

/// The reason why no model could be inferred.
public struct InferenceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A description of the expected and the found value.
  public let message: String

  /// The message.
  public var description: String { message }

  /// Creates an error.
  ///
  /// - Parameter message: The expected and the found value.
  public init(_ message: String) { self.message = message }

  init(_ root: Shape) {
    let found =
      switch Composition(root) {
      case .null: root.count == 0 ? "no document" : "null"
      case .boolean: "a boolean"
      case .number: "a number"
      case .string: "a string"
      case .emptyObject: "an empty object"
      case .emptyArray: "an empty array"
      case .scalars: "an array of strings, numbers or booleans"
      case .grid where root.element.map({ Composition($0) }) == .emptyObject:
        "an array of empty objects"
      case .grid where root.element?.eachMember != nil:
        "an array of dictionaries whose values have nothing in common"
      case .grid, .row: "an array of arrays"
      case .mixed: "values of several kinds"
      case .object, .dictionary, .objects, .unknown: "objects without anything in common"
      }
    self.init("no entity can be inferred: expected objects, or an array of objects, found \(found)")
  }
}

extension InferenceError: LocalizedError {
  /// The description, as `localizedDescription` returns it.
  public var errorDescription: String? { description }
}
