#ifndef CPQ_SHIM_H
#define CPQ_SHIM_H

#include <libpq-fe.h>

/// The fields of an error or notice. libpq defines them as character literals, which Swift does not import.
enum cpq_field {
  cpq_severity = PG_DIAG_SEVERITY_NONLOCALIZED,
  cpq_sql_state = PG_DIAG_SQLSTATE,
  cpq_message = PG_DIAG_MESSAGE_PRIMARY,
  cpq_detail = PG_DIAG_MESSAGE_DETAIL,
  cpq_hint = PG_DIAG_MESSAGE_HINT
};

#endif
