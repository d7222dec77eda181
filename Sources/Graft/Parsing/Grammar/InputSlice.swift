/// The bytes that an engine currently reads, and their place in the document.
struct InputSlice {
  /// The number of bytes that can be read at the address of a key, however short the key is.
  ///
  /// The import loads a short key as one word, without a branch for each length.
  static let keyPadding = 8
  /// The most bytes of a slice.
  ///
  /// Bytes that one step has read are then still in the processor's cache when the next step reads them. And the place of
  /// an object, which is asked for after those of the objects in it, costs no more than to count the lines of one slice.
  static let byteLimit = 128 << 10

  let bytes: BorrowedBuffer<UInt8>
  /// The offset of the first byte; in an empty slice, the number of bytes read so far.
  let start: Int
}

extension InputSlice {
  /// Creates an empty slice.
  init(start: Int) {
    self.init(bytes: BorrowedBuffer(), start: start)
  }

  var end: Int { start + bytes.count }

  /// Returns whether a token is in the slice, as it is unless it was cut or escaped.
  @inline(__always)
  func contains(_ token: BorrowedBuffer<UInt8>) -> Bool {
    UInt(bitPattern: index(of: token.address)) < UInt(bitPattern: bytes.count)
  }

  /// Returns whether a key is in the slice, together with the padding that may be read after it.
  @inline(__always)
  func containsKey(_ key: BorrowedBuffer<UInt8>) -> Bool {
    let index = index(of: key.address)
    return index >= 0 && index <= bytes.count &- Self.keyPadding
  }

  /// Returns the byte at an offset of the document; nil outside the slice.
  func byte(at offset: Int) -> UInt8? {
    let index = offset - start
    return index >= 0 && index < bytes.count ? bytes[index] : nil
  }

  /// Returns the index that an address has, or would have, in the slice.
  @inline(__always)
  func index(of address: Int) -> Int {
    address &- bytes.address
  }
}
