#ifndef CZSTD_SHIM_H
#define CZSTD_SHIM_H

#include <stddef.h>

// Where libzstd is not installed, the package can be built all the same: the command `graft` then reads everything but
// zstd, since there are no contexts.
#if __has_include(<zstd.h>)
#include <zstd.h>
#include <zstd_errors.h>

#else

typedef struct ZSTD_DCtx_s ZSTD_DCtx;
typedef struct { const void *src; size_t size, pos; } ZSTD_inBuffer;
typedef struct { void *dst; size_t size, pos; } ZSTD_outBuffer;
enum { ZSTD_d_windowLogMax, ZSTD_reset_session_only };
enum { ZSTD_error_dictionary_wrong = 1, ZSTD_error_frameParameter_windowTooLarge };

static inline ZSTD_DCtx *ZSTD_createDCtx(void) { return NULL; }
static inline size_t ZSTD_freeDCtx(ZSTD_DCtx *context) { return 0; }
static inline size_t ZSTD_DCtx_setParameter(ZSTD_DCtx *context, int parameter, int value) { return 0; }
static inline size_t ZSTD_DCtx_reset(ZSTD_DCtx *context, int reset) { return 0; }
static inline size_t ZSTD_DStreamInSize(void) { return 0; }
static inline size_t ZSTD_decompressStream(ZSTD_DCtx *context, ZSTD_outBuffer *output, ZSTD_inBuffer *input) { return 0; }
static inline unsigned ZSTD_isError(size_t code) { return 0; }
static inline int ZSTD_getErrorCode(size_t code) { return 0; }
static inline const char *ZSTD_getErrorString(int code) { return ""; }

#endif

/// What a step has come to.
enum czstd_state { czstd_unfinished, czstd_finished, czstd_damaged, czstd_needs_dictionary, czstd_needs_window };

/// Limits the window to 2 to the power of `windowLog` bytes; returns whether libzstd takes that limit.
static inline int czstd_limit_window(ZSTD_DCtx *context, int windowLog) {
  return !ZSTD_isError(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, windowLog));
}

static inline void czstd_reset(ZSTD_DCtx *context) { ZSTD_DCtx_reset(context, ZSTD_reset_session_only); }

/// Decompresses what there is room for.
///
/// `input` and `output` are moved on. `wanted` becomes the number of bytes that libzstd asks for next, and `reason` the
/// text of an error.
static inline enum czstd_state czstd_step(
  ZSTD_DCtx *context, ZSTD_inBuffer *input, ZSTD_outBuffer *output, size_t *wanted, const char **reason
) {
  size_t code = ZSTD_decompressStream(context, output, input);
  *wanted = 0;
  *reason = "";
  if (!ZSTD_isError(code)) {
    *wanted = code;
    return code == 0 ? czstd_finished : czstd_unfinished;
  }
  int error = (int)ZSTD_getErrorCode(code);
  if (error == ZSTD_error_dictionary_wrong) return czstd_needs_dictionary;
  if (error == ZSTD_error_frameParameter_windowTooLarge) return czstd_needs_window;
  *reason = ZSTD_getErrorString(error);
  return czstd_damaged;
}

#endif
