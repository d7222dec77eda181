public import Foundation
import Graft

extension ImportReport {
  /// Writes the report as JSON, for other programs.
  ///
  /// The keys are those of the table in <doc:ReadingReports>; they stay, and more may come.
  ///
  /// - Parameter graph: The graph that the import has published, in which unfilled stubs are named;
  ///   without it they are only counted.
  /// - Returns: An object, in UTF-8.
  /// - Complexity: O(*n*) in the size of the report.
  public func jsonData(with graph: Graph? = nil) -> Data {
    jsonData(file: nil, graph)
  }

  /// Writes the report of a file as JSON.
  ///
  /// - Parameters:
  ///   - file: The file as it was named.
  ///   - graph: The graph in which unfilled stubs are named.
  /// - Returns: An object, in UTF-8.
  package func jsonData(file: String?, _ graph: Graph?) -> Data {
    var writer = ReportWriter()
    writer.write(self, file: file, graph)
    return writer.data
  }
}

extension ImportError {
  /// Writes the error as JSON, as a report has its issues.
  ///
  /// - Parameter file: The file as it was named.
  /// - Returns: An object, in UTF-8.
  package func jsonData(file: String?) -> Data {
    var writer = ReportWriter()
    writer.write(self, file: file)
    return writer.data
  }
}

/// Writes reports as JSON.
///
/// Every key is written, with `null` where there is nothing.
private struct ReportWriter: ~Copyable {
  private var json = JSONWriter()

  var data: Data { Data(json.text.utf8) }

  mutating func write(_ report: ImportReport, file: String?, _ graph: Graph?) {
    json.beginObject()
    if let file { member("file", file) }
    json.key("response")
    if let response = report.response {
      json.beginObject()
      member("status", response.status)
      member("url", response.url.absoluteString)
      json.endObject()
    } else {
      json.null()
    }
    member("byteCount", report.byteCount)
    json.key("seconds")
    let duration = report.duration.components
    json.number(Double(duration.seconds) + Double(duration.attoseconds) / 1e18)
    list("entities", report.entities) { writer, count in
      writer.member("entity", count.entity)
      writer.member("inserted", count.inserted)
      writer.member("updated", count.updated)
      writer.member("unchanged", count.unchanged)
      writer.member("deleted", count.deleted)
      writer.member("conflicting", count.conflicting)
      writer.json.key("conflictingAttributes")
      writer.json.beginArray()
      for attribute in count.conflictingAttributes { writer.json.string(attribute) }
      writer.json.endArray()
    }
    list("roots", report.roots) { writer, root in
      writer.member("entity", root.root.entity)
      writer.member("path", root.root.path.description)
      writer.member("objects", root.objects)
    }
    member("issueCount", report.issueCount)
    list("issues", report.issues) { $0.members(of: $1.error) }
    member("noticeCount", report.noticeCount)
    list("notices", report.notices) { $0.members(of: $1.error) }
    member("unfilledStubCount", report.unfilledStubCount)
    json.key("unfilledStubs")
    json.beginArray()
    for stub in report.unfilledStubs {
      if let object = graph?.object(stub) { json.string("\(object)") }
    }
    json.endArray()
    for (name, count) in ImportReport.skippedCounts { member(name, report[keyPath: count]) }
    json.key("coverage")
    if let coverage = report.coverage { write(coverage) } else { json.null() }
    json.endObject()
  }

  mutating func write(_ error: ImportError, file: String?) {
    json.beginObject()
    if let file { member("file", file) }
    members(of: error)
    json.endObject()
  }

  private mutating func write(_ coverage: ImportCoverage) {
    json.beginObject()
    list("unfoundPaths", coverage.unfoundPaths) { writer, path in
      writer.member("entity", path.entity)
      writer.member("property", path.property)
      writer.member("path", path.path)
      writer.member("objects", path.objectCount)
    }
    json.key("unfoundEntities")
    json.beginArray()
    for entity in coverage.unfoundEntities { json.string(entity) }
    json.endArray()
    list("unreadKeys", coverage.unreadKeys) { writer, key in
      writer.member("path", key.path)
      writer.member("key", key.key)
      writer.member("found", key.found)
      writer.member("entity", key.entity)
      writer.member("count", key.count)
      writer.member("line", key.location.line)
      writer.member("column", key.location.column)
      writer.member("nearest", key.nearest)
    }
    member("unreadKeyCount", coverage.unreadKeyCount)
    json.endObject()
  }

  private mutating func members(of error: ImportError) {
    member("kind", error.kind.description)
    member("line", error.location?.line)
    member("column", error.location?.column)
    member("offset", error.location?.offset)
    member("path", error.path.isEmpty ? nil : error.path)
    member("entity", error.entity)
    member("property", error.property)
    member("expected", error.expected)
    member("found", error.found)
    member("message", error.message)
  }

  private mutating func list<Element>(
    _ key: String, _ elements: [Element], _ write: (inout ReportWriter, Element) -> Void
  ) {
    json.key(key)
    json.beginArray()
    for element in elements {
      json.beginObject()
      write(&self, element)
      json.endObject()
    }
    json.endArray()
  }

  @inline(never)
  private mutating func member(_ key: String, _ value: String?) {
    json.key(key)
    if let value { json.string(value) } else { json.null() }
  }

  @inline(never)
  private mutating func member(_ key: String, _ value: Int?) {
    json.key(key)
    if let value { json.integer(Int64(value)) } else { json.null() }
  }
}
