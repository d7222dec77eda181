import CZstd
public import Graft

extension CompressionFormat {
  /// The format zstd of RFC 8878: frames that follow one another, and frames that are skipped.
  ///
  /// Dictionaries are not supported.
  ///
  /// ```swift
  /// import GraftZstd
  ///
  /// try await store.importJSON(Tweet.self, from: .url(url).decompressing(.zstd))
  /// ```
  public static var zstd: CompressionFormat { .zstd(windowLimit: 128 << 20) }

  /// Returns zstd with another limit on the memory that a frame may ask for.
  ///
  /// - Parameter windowLimit: The most bytes of a frame's window, from 1 KiB to 1 GiB; a power of two, or the next
  ///   smaller one is taken. By default 128 MiB, as the command `zstd` has it; servers may use 8 MiB (RFC 9659).
  /// - Returns: The format.
  public static func zstd(windowLimit: Int) -> CompressionFormat {
    guard czstd_is_installed() != 0 else {
      return .zstd(
        missing: "install libzstd with its headers, such as libzstd-dev, and build again")
    }
    return .zstd { ZstdDecompressor(windowLimit: windowLimit) }
  }
}
