/// The field of contestants, in the order of the table.
enum Field {
  static let contestants: [Contestant] = [.yajl, .parser, .importer, .decoder, .serialization]

  /// The contestants that take part.
  ///
  /// - Parameters:
  ///   - names: Their names; empty means all.
  ///   - subject: What the document holds; only a timeline has fields for `JSONDecoder`.
  /// - Returns: The contestants, in the order of the table.
  /// - Throws: `UsageError` for a name that nobody has.
  static func contestants(named names: [String], for subject: Subject) throws -> [Contestant] {
    for name in names where !contestants.contains(where: { $0.name == name }) {
      let known = contestants.map(\.name).joined(separator: ", ")
      throw UsageError("unknown contestant \"\(name)\"; there are \(known)")
    }
    return contestants.filter { contestant in
      guard names.isEmpty || names.contains(contestant.name) else { return false }
      guard case .other = subject else { return true }
      return contestant.name != Contestant.decoder.name
    }
  }
}
