public import Foundation

extension Graph {
  /// Writes the whole graph as one JSON object, in a form made for comparing.
  ///
  /// Equal graphs give equal bytes, and a changed object is one changed line:
  ///
  /// ```json
  /// {
  ///   "Tweet": [
  ///     {"@id": "Tweet/1", "author": "User/1", "postedAt": "2012-09-24T03:35:21Z"}
  ///   ],
  ///   "User": [
  ///     {"@id": "User/1", "name": null, "tweets": ["Tweet/1"]}
  ///   ]
  /// }
  /// ```
  ///
  /// - Entities are sorted by name; abstract ones are left out. Objects stand under their concrete
  ///   entity in order of insertion, and are numbered there from 1.
  /// - Every attribute and relationship is there, inherited ones included, sorted by name, `null`
  ///   where there is nothing. Related objects of a relationship without order are sorted by entity
  ///   and number.
  /// - Dates are ISO 8601 in UTC, with milliseconds if there are any; binary data is base64;
  ///   integers and decimals are exact; other numbers have their shortest exact text; a
  ///   transformable value is its JSON.
  ///
  /// - Parameter output: Takes the bytes as they come, some tens of thousands at a time; they are
  ///   valid only while it runs.
  /// - Throws: What `output` throws; writing stops then.
  /// - Complexity: O(*n*) in the size of the graph; memory for one object at a time.
  public func writeCanonicalJSON(to output: (RawSpan) throws -> Void) rethrows {
    var writer = CanonicalWriter(graph: self)
    try writer.write(to: output)
  }

  /// The whole graph as one JSON object, in the form that ``writeCanonicalJSON(to:)`` describes.
  ///
  /// - Returns: The text, in UTF-8.
  /// - Complexity: O(*n*) in the size of the graph, in memory too.
  public func canonicalJSON() -> Data {
    var data = Data()
    writeCanonicalJSON { chunk in
      chunk.withUnsafeBytes { data.append(contentsOf: $0) }
    }
    return data
  }
}
