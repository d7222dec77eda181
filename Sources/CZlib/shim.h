#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

/// `inflateInit2` is a macro. 15 bits are the largest window, and 16 more say that the format is that of gzip.
static inline int czlib_begin(z_streamp stream, int isGzip) {
  return inflateInit2(stream, isGzip ? 15 + 16 : 15);
}

#endif
