#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Tells threads apart: a number that no other living thread has, and that is never 0.
enum ThreadNumber {
  static var current: UInt {
    // A number on one platform and a pointer on the others; a word on all.
    unsafeBitCast(pthread_self(), to: UInt.self)
  }
}
