#ifndef CYAJL_SHIM_H
#define CYAJL_SHIM_H

#include <yajl/yajl_parse.h>

/// `yajl_config` is variadic, and Swift cannot call variadic C functions. Each option that Graft
/// uses takes one `int`.
static inline int cyajl_config(yajl_handle handle, yajl_option option, int value) {
  return yajl_config(handle, option, value);
}

#endif
