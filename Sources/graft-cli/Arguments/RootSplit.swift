import Foundation
import Graft

/// The operand `ROOT[,ROOT ...]=FILE` in its parts.
///
/// A file's name may hold `=` and `@`, and a path may hold `=` in quotes; so the operand is cut at
/// the first `=` that has nothing but roots of the model's entities before it.
struct RootSplit {
  let roots: [ImportRoot]
  let file: String

  /// Fails for an operand that names no roots.
  init?(_ operand: String, model: GraphModel) {
    for index in operand.indices where operand[index] == "=" {
      guard let roots = Self.roots(operand[..<index], model: model) else { continue }
      self.roots = roots
      file = String(operand[operand.index(after: index)...])
      return
    }
    return nil
  }

  /// What is wrong with an operand that was probably meant to name roots: it holds `=`, and there
  /// is no such file.
  static func complaint(about operand: String, model: GraphModel) -> UsageError? {
    guard let index = operand.firstIndex(of: "="), !operand.contains("://"),
      !FileManager.default.fileExists(atPath: operand)
    else { return nil }
    for part in parts(operand[..<index]) {
      do {
        try model.check(part.entity)
        if let path = part.path { _ = try JSONPath(path) }
      } catch {
        return UsageError("\(operand): \(error)")
      }
    }
    return nil
  }

  private static func roots(_ text: Substring, model: GraphModel) -> [ImportRoot]? {
    var roots: [ImportRoot] = []
    for part in parts(text) {
      guard model.entity(named: part.entity) != nil else { return nil }
      guard let path = part.path else {
        roots.append(ImportRoot(part.entity))
        continue
      }
      guard let root = try? ImportRoot(part.entity, at: path) else { return nil }
      roots.append(root)
    }
    return roots
  }

  /// Cuts at the commas that stand outside of brackets.
  private static func parts(_ text: Substring) -> [(entity: String, path: String?)] {
    var pieces: [Substring] = []
    var start = text.startIndex
    var isInBrackets = false
    for index in text.indices {
      switch text[index] {
      case "[": isInBrackets = true
      case "]": isInBrackets = false
      case "," where !isInBrackets:
        pieces.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    pieces.append(text[start...])
    return pieces.map { piece in
      let halves = piece.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(halves[0]), halves.count > 1 ? String(halves[1]) : nil)
    }
  }
}
