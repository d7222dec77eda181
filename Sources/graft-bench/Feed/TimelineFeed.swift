/// A deterministic timeline in the shape of Twitter's REST API 1.1, written piece by piece and
/// never held as a whole.
///
/// Users, originals and hashtags repeat by Zipf's law out of pools that grow with the feed; what an
/// importer of tweets does not know outweighs what it knows by far, as in life.
struct TimelineFeed {
  /// The number of tweets, users and hashtags written so far, counted wherever they occur.
  private(set) var objectCount = 0
  /// The number of elements of `statuses` written so far.
  private(set) var statusCount = 0
  private(set) var byteCount = 0
  private let size: Int
  private var json = JSONBytes()
  private var isClosed = false

  /// Creates a feed.
  ///
  /// - Parameter size: Bytes after which the feed ends at the next opportunity.
  init(size: Int) {
    self.size = size
  }

  /// The next piece of the document, some tens of kilobytes; nil after the last one.
  mutating func nextPiece() -> [UInt8]? {
    guard !isClosed else { return nil }
    json.removeAll()
    while json.bytes.count < 65_536 {
      guard byteCount + json.bytes.count < size || statusCount == 0 else {
        close()
        break
      }
      json.raw(statusCount == 0 ? #"{"statuses":["# : ",")
      objectCount += FeedTweet(status: statusCount).write(to: &json)
      statusCount += 1
    }
    byteCount += json.bytes.count
    return json.bytes
  }

  private mutating func close() {
    json.raw(
      #"""
      ],"search_metadata":{"completed_in":0.087,"query":"%E4%B8%80","count":\#(statusCount),\#
      "since_id":0}}

      """#)
    isClosed = true
  }
}
