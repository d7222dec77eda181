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
    CompressionFormat(
      name: "zstd", contentEncodings: ["zstd"],
      // A frame that is skipped may be the first.
      signatures: [
        [0x28, 0xB5, 0x2F, 0xFD].map { $0...$0 },
        [0x50...0x5F, 0x2A...0x2A, 0x4D...0x4D, 0x18...0x18],
      ]
    ) { ZstdDecompressor(windowLimit: windowLimit) }
  }
}
