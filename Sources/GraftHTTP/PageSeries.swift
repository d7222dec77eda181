import Foundation
import Graft
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The import of a list of pages:
//
// - The first request is the user's; each further one follows from the page before (`NextPage`).
// - A page is an import of its own, published when it has ended. Shortly before, in the same transaction of a database,
//   the request of the page after it is noted (`PageProgress`), so that a resumed import goes on there.
// - A page that fails is requested again (`RetryPolicy`); what it has read so far was never published.
// - If headers name the next page, it is requested while this one is parsed (`PageAhead`).
// - All pages are one group. What none of them mentions is deleted at the end, if every page has come.

/// Imports the pages of an API, one after the other.
struct PageSeries: DocumentSeries {
  let request: URLRequest
  let rule: NextPage
  let http: HTTPOptions
  let session: URLSession?

  /// The address of the first page.
  var label: String { request.address }

  /// Returns the parameters that the target fills.
  func greatestValues(in target: any ImportTarget) throws -> [String: String] {
    var values: [String: String] = [:]
    for since in http.since { values[since.parameter] = try since.text(in: target) }
    return values
  }

  func importAll(_ job: SeriesJob) async throws -> ImportReport {
    let begin = ContinuousClock.now
    try http.check()
    guard http.since.isEmpty || !job.options.deletesMissing else {
      throw ImportError(
        kind: .model,
        message:
          "the options since and deletesMissing do not go together: the answer leaves out what has not changed, which is"
          + " not missing; use one of them")
    }
    var run = try PageRun(self, job)
    do {
      try await run.importPages()
    } catch {
      throw run.explained(error)
    }
    var report = try run.finish()
    report.duration = .now - begin
    return report
  }
}

/// One import of a list of pages.
private struct PageRun {
  private let series: PageSeries
  private let job: SeriesJob
  private let key: String
  private let pacer: RequestPacer
  private let connection = SharedConnection()
  private let ahead = PageAhead()
  /// The marks by which the server sees whether the first page has changed; nil to request it in any case.
  private let known: Validators?
  private var progress: PageProgress
  private var group: ImportGroup?
  /// Whether the group was begun here, and not by the caller.
  private let ownsGroup: Bool
  /// Whether a later import can continue after the pages of this one.
  private let canBeResumed: Bool
  private var visited: Set<Int> = []
  private var request: URLRequest?
  /// The fingerprint of the page before.
  private var lastPage: UInt64?
  private(set) var report = ImportReport()

  init(_ series: PageSeries, _ job: SeriesJob) throws {
    self.series = series
    self.job = job
    pacer = RequestPacer(perSecond: series.http.requestsPerSecond)
    key = PageProgress.key(of: series.request, series.rule, job.roots)
    let unfinished = try job.target._noted(key).flatMap(PageProgress.init(note:))
    // Only the group of the earlier pages knows which objects they have mentioned.
    let isGroup = job.options.deletesMissing || job.options.group != nil
    canBeResumed = !isGroup
    if job.isResuming, let noted = unfinished, noted.canBeResumed, !isGroup {
      progress = noted
      request = try noted.request(after: series.request)
    } else {
      progress = PageProgress()
      progress.since = try unfinished?.since ?? series.greatestValues(in: job.target)
      let first = progress.since.sorted { $0.key < $1.key }.reduce(series.request) {
        $0.setting($1.key, to: $1.value)
      }
      request = series.rule.first(first)
      if job.isResuming, let count = unfinished?.pageCount, isGroup {
        report.note(
          "the list begins anew and not after page \(count), because only pages of one import tell which objects are"
            + " missing")
      }
    }
    known =
      series.http.onlyIfChanged
      ? try job.target._noted(Self.validatorsKey(of: key)).flatMap(Validators.init(note:))
        .flatMap { $0.areKnown(to: job.target.model, job.options.mode) ? $0 : nil } : nil
    ownsGroup = job.options.deletesMissing && job.options.group == nil && !job.options.isDryRun
    group = ownsGroup ? try job.target._beginGroup() : job.options.group
    if deletionsAreUnknown {
      report.note("a dry run of a list of pages does not tell which objects would be deleted")
    }
  }

  /// Whether missing objects must be deleted although no group tells which are missing.
  private var deletionsAreUnknown: Bool {
    job.options.deletesMissing && group == nil && !series.rule.isSingle
  }

  /// Returns the key of the note with the state of the list at its last complete import.
  private static func validatorsKey(of key: String) -> String { key + ", as it was last" }

  /// Imports page after page.
  mutating func importPages() async throws {
    defer { ahead.drop() }
    reportPages()
    while let current = request {
      guard try mayRequest(current) else { return }
      let outcome = PageOutcome()
      let page = try await importPage(current, outcome)
      lastPage = outcome.fingerprint
      report.append(
        page, limit: job.options.issueLimit, in: job.target.model, remark: placeOfPage)
      // A document that has not changed has no page after it.
      guard page.response?.isNotModified != true else { return }
      let isFirst = progress.pageCount == 0
      (progress, request) = try outcome.result()
      if isFirst, request == nil { noteMissingPlace(outcome, page.response) }
      reportPages()
    }
  }

  /// Tells that a list has one page only because nothing is where the next one should be named.
  private mutating func noteMissingPlace(_ outcome: PageOutcome, _ response: ImportResponse?) {
    guard progress.objectCount > 0 else { return }
    let paths = series.rule.paths
    if !paths.isEmpty, outcome.isWithoutCaptured {
      report.note(
        "nothing is at \(paths.map(\.description).quoted) of the first page, which is therefore the only one;"
          + " if more pages follow, correct the path")
    }
    if let header = series.rule.header, response?[header] == nil {
      report.note(
        "the first page has no header \(header), and is taken for the only one; if more pages follow,"
          + " correct the name")
    }
  }

  /// Reports the pages that are saved, even if the next one fails.
  private func reportPages() {
    guard !series.rule.isSingle, !job.options.isDryRun else { return }
    job.options.didImportPage?(progress.pageCount, canBeResumed && progress.canBeResumed)
  }

  /// The number and address of the current page, for messages; empty for the first page.
  private var placeOfPage: String {
    guard let url = request?.url, progress.pageCount > 0 else { return "" }
    return "; on page \(progress.pageCount + 1), \(url.shownAddress)"
  }

  /// Checks that a page differs from the one before it: a server ignores a parameter that it does not know.
  ///
  /// - Throws: ``ImportError`` if it is, so that its objects are not published.
  private func requireProgress(_ fingerprint: UInt64, _ facts: DocumentFacts) throws {
    guard fingerprint == lastPage, !isEmpty(facts) else { return }
    throw ImportError(
      kind: .model,
      message:
        "the server answers with the same page again, as if it did not know what the address has changed;"
        + " check how the next page is found")
  }

  /// Returns whether one more page may be requested; if not, the list is incomplete.
  private mutating func mayRequest(_ request: URLRequest) throws -> Bool {
    try Task.checkCancellation()
    let count = progress.pageCount
    if !visited.insert(Self.fingerprint(request)).inserted {
      stop(
        "page \(count) names a page as the next one that has been read before; the import ends there"
      )
      return false
    }
    if visited.count > series.http.pageLimit {
      let limit = series.http.pageLimit
      stop(
        "the import ends after \(limit == 1 ? "1 page" : "\(limit) pages"), its limit; more follow")
      return false
    }
    return true
  }

  private mutating func stop(_ reason: String) {
    report.note(reason)
    if !job.options.isDryRun { group?.noteIncompleteImport() }
  }

  private static func fingerprint(_ request: URLRequest) -> Int {
    var hasher = Hasher()
    hasher.combine(request.httpMethod)
    hasher.combine(request.allHTTPHeaderFields)
    hasher.combine(request.url?.absoluteString)
    hasher.combine(request.httpBody)
    return hasher.finalize()
  }

  /// Imports a page, requested as often as the policy says.
  private func importPage(
    _ request: URLRequest, _ outcome: PageOutcome
  ) async throws -> ImportReport {
    let clock = ContinuousClock()
    let start = clock.now
    var tries = 0
    while true {
      tries += 1
      do {
        return try await importOnce(request, outcome)
      } catch {
        let failure = RetryPolicy.Failure(
          error: error, tries: tries, elapsed: clock.now - start,
          hasServerAnswered: progress.pageCount > 0 || outcome.hasResponse)
        let retries = series.http.retries
        guard let delay = retries.delay(after: failure, of: request) else {
          throw Self.adding(retries.remark(on: failure), to: error)
        }
        if !job.options.isDryRun { group?.forgetFailedImport() }
        var waiting = ImportProgress(byteCount: report.byteCount, page: numberOfPage)
        waiting.wait = delay
        job.progress?(waiting)
        try await Task.sleep(for: delay)
      }
    }
  }

  private func importOnce(
    _ request: URLRequest, _ outcome: PageOutcome
  ) async throws -> ImportReport {
    let source: ImportSource
    if let requested = try await ahead.take(request) {
      source = requested
    } else {
      try await pacer.wait()
      source = self.source(of: request, isFirst: progress.pageCount == 0)
    }
    var options = job.options
    options.group = group
    if deletionsAreUnknown { options.deletesMissing = false }
    // A page is one save, and so is an answer that may come again.
    if !series.rule.isSingle || !series.http.mayKeepPart { options.savePolicy = .atEnd }
    options.capturedPaths = series.rule.paths + probes
    options.willReadResponse = { [hook = options.willReadResponse] response, reading in
      outcome.begin(response)
      if isWithoutContent(response) {
        // A stream may have no documents, and nothing is missing in them.
        (reading.format, reading.roots) = (.ndjson, [])
      }
      try hook?(response, &reading)
      requestNext(after: request, response)
    }
    if !series.rule.isAddress { options.didReadSource = { outcome.note($0) } }
    options.notesAtEnd = { [self, request] facts in
      if let fingerprint = outcome.fingerprint { try requireProgress(fingerprint, facts) }
      outcome.note(values(in: facts))
      outcome.end { try advanced(after: request, $0, facts) }
      let (progress, next) = try outcome.result()
      let place = ImportNote(key: key, value: next == nil ? nil : progress.note)
      guard series.http.onlyIfChanged else { return [place] }
      // Between the first page and the last, the target has neither the old list nor the new one.
      let isKnown = next == nil && !progress.validators.isEmpty
      return [
        place,
        ImportNote(
          key: Self.validatorsKey(of: key), value: isKnown ? progress.validators.note : nil),
      ]
    }
    do {
      guard let number = numberOfPage else {
        return try await job.target.importJSON(
          job.roots, from: source, options: options, progress: job.progress)
      }
      let byteCount = report.byteCount
      let tell = job.progress
      return try await job.target.importJSON(job.roots, from: source, options: options) {
        tell?(ImportProgress(byteCount: byteCount + $0.byteCount, page: number))
      }
    } catch {
      // The error of the rule as it was, and not as the import's.
      throw outcome.failure ?? error
    }
  }

  /// Returns whether an answer is a page without objects: one that says so, or the empty one that some servers send
  /// after the last page.
  private func isWithoutContent(_ response: ImportResponse) -> Bool {
    if response.status == 204 { return !series.rule.isSingle }
    return progress.pageCount > 0 && series.rule.endsAtEmptyPage && response.status == 200
      && response["Content-Length"] == "0"
  }

  /// The number of the current page, counted from 1; nil for a single answer.
  private var numberOfPage: Int? { series.rule.isSingle ? nil : progress.pageCount + 1 }

  /// Returns the source that requests a page.
  private func source(of request: URLRequest, isFirst: Bool) -> ImportSource {
    var sent = series.http.timed(request)
    if isFirst { known?.apply(to: &sent) }
    var source = ImportSource.request(sent, session: series.session)
    source.decompression = job.decompression
    source.connection = connection
    return source
  }

  /// Requests the next page ahead, if the headers of an answer name it.
  private func requestNext(after request: URLRequest, _ response: ImportResponse) {
    // A cookie is known to the connection on which it came. So the pages of a server that sets cookies share one
    // connection, one after the other.
    if response["Set-Cookie"] != nil { ahead.isAllowed = false }
    guard series.http.requestsAhead, series.rule.isInHeaders, ahead.isAllowed,
      visited.count < series.http.pageLimit
    else { return }
    let page = ImportedPage(
      request: request, response: response, number: progress.pageCount + 1, objectCount: 0,
      objectCountSoFar: 0, captured: [], isEmpty: false, first: series.request, leastRootCount: 0,
      countOfListSoFar: nil)
    // An error comes again when the page has been read.
    guard let next = try? series.rule.next(page), next.httpMethod == "GET",
      !visited.contains(Self.fingerprint(next)),
      let source = try? source(of: next, isFirst: false).preparedDownload()
    else { return }
    ahead.request(next, source, pacer)
  }

  /// Returns the progress of the import after a page, and the request of the next page.
  private func advanced(
    after request: URLRequest, _ response: ImportResponse, _ facts: DocumentFacts
  ) throws -> (PageProgress, URLRequest?) {
    var progress = progress
    if progress.pageCount == 0 {
      progress.validators = Validators(response, readBy: job.target.model, job.options.mode)
    }
    progress.pageCount += 1
    progress.objectCount += facts.objectCount
    let counts = counts(facts)
    progress.sentCount += counts.ofLists.first ?? 0
    let page = ImportedPage(
      request: request, response: response, number: progress.pageCount,
      objectCount: facts.objectCount, objectCountSoFar: progress.objectCount,
      captured: values(in: facts), isEmpty: isEmpty(facts), first: series.request,
      leastRootCount: counts.toStepOver,
      countOfListSoFar: counts.ofLists.isEmpty ? nil : progress.sentCount)
    let next = try series.rule.next(page)
    progress.note(next, after: series.request)
    return (progress, next)
  }

  /// Returns the numbers of objects at the roots, of those that are lists themselves if there are any: the objects at
  /// `orders[*].items` do not tell how many orders came.
  private func counts(_ facts: DocumentFacts) -> (ofLists: [Int], toStepOver: Int) {
    let lists = zip(job.roots, facts.sentCounts).filter { $0.0.isList }.map(\.1)
    // The page after the shortest list has all that follows, and what came of the longer ones once more.
    let least = (lists.isEmpty ? facts.sentCounts : lists).filter { $0 > 0 }.min()
    return (lists, least ?? 0)
  }

  /// The paths to the first elements of the roots' lists: a page that has one is not the last, even if no object of a
  /// root is in it.
  private var probes: [JSONPath] {
    guard series.rule.endsAtEmptyPage else { return [] }
    return job.roots.compactMap { root in
      let steps = root.path.collectionPath.steps
      let list = Array(steps.prefix { !$0.isWildcard })
      switch steps.dropFirst(list.count).first {
      case nil, .eachElement: return JSONPath(list + [.element(0)])
      case .elements(let first): return JSONPath(list + [.element(first)])
      default: return nil
      }
    }
  }

  private func isEmpty(_ facts: DocumentFacts) -> Bool {
    facts.isEmpty
      && facts.captured.dropFirst(series.rule.paths.count).allSatisfy { $0 == .nothing }
  }

  /// Returns the values at the paths of the rule.
  private func values(in facts: DocumentFacts) -> [CapturedValue] {
    Array(facts.captured.prefix(series.rule.paths.count))
  }

  /// Ends the group of the pages.
  func finish() throws -> ImportReport {
    guard ownsGroup, let group, report.response?.isNotModified != true else { return report }
    var report = report
    report.append(
      try group.finish(), limit: job.options.issueLimit, in: job.target.model)
    return report
  }

  /// Returns an error with the number and the address of the page.
  func explained(_ error: any Error) -> any Error { Self.adding(placeOfPage, to: error) }

  private static func adding(_ remark: String, to error: any Error) -> any Error {
    switch error {
    case let error as ImportError: error.adding(remark)
    case let error as ImportSourceError: error.adding(remark)
    default: error
    }
  }
}

extension ImportRoot {
  /// Whether the root's objects are the elements of one list.
  fileprivate var isList: Bool {
    !path.collectionPath.steps.dropLast().contains(where: \.isWildcard)
  }
}

/// Keeps the answer of a page, and the request of the page after it.
private final class PageOutcome: Sendable {
  private struct State {
    var response: ImportResponse?
    var fingerprint: UInt64?
    var captured: [CapturedValue] = []
    var result: Result<(PageProgress, URLRequest?), any Error>?
  }

  private let state = Mutex(State())

  var hasResponse: Bool { state.withLock { $0.response != nil } }

  /// The fingerprint of the page; nil until it has been read.
  var fingerprint: UInt64? { state.withLock { $0.fingerprint } }

  func note(_ fingerprint: UInt64) { state.withLock { $0.fingerprint = fingerprint } }

  /// Whether no path of the rule leads to a value, not even to `null`.
  var isWithoutCaptured: Bool { state.withLock { $0.captured.allSatisfy { $0 == .nothing } } }

  func note(_ captured: [CapturedValue]) { state.withLock { $0.captured = captured } }

  /// Notes the answer, before its body is read.
  func begin(_ response: ImportResponse) {
    state.withLock { $0 = State(response: response) }
  }

  /// Finds the page after this one, shortly before the objects of this one are published.
  ///
  /// - Parameter next: Returns the progress of the import after the page, and the request of the next page.
  func end(_ next: (ImportResponse) throws -> (PageProgress, URLRequest?)) {
    guard let response = state.withLock({ $0.response }) else { return }
    let result = Result { try next(response) }
    state.withLock { $0.result = result }
  }

  /// The error of the rule for the next page; nil if there was none.
  var failure: (any Error)? {
    if case .failure(let error) = state.withLock({ $0.result }) { error } else { nil }
  }

  /// Returns the progress of the import, and the next request.
  ///
  /// - Throws: The error of the rule for the next page.
  func result() throws -> (PageProgress, URLRequest?) {
    guard let result = state.withLock({ $0.result }) else { throw CancellationError() }
    return try result.get()
  }
}
