#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/// What `SQLITE_TRANSIENT` is: SQLite copies the bytes at once. Swift cannot read a macro with a cast.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int parameter, const void *bytes, unsigned long long count) {
  return sqlite3_bind_text64(statement, parameter, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds bytes that SQLite copies at once.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int parameter, const void *bytes, unsigned long long count) {
  return sqlite3_bind_blob64(statement, parameter, bytes, count, SQLITE_TRANSIENT);
}

/// Returns text from a function, which SQLite copies at once.
static inline void csqlite_result_text(sqlite3_context *context, const void *bytes, unsigned long long count) {
  sqlite3_result_text64(context, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Sets an option of a connection that takes one number; Swift cannot call variadic C functions.
static inline int csqlite_config(sqlite3 *connection, int option, int value) {
  return sqlite3_db_config(connection, option, value, (int *)0);
}

/// Sets an option of the library that takes one number, which has an effect only before its first use.
static inline int csqlite_config_library(int option, int value) {
  return sqlite3_config(option, value);
}

#endif
