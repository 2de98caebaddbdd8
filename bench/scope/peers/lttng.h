//===- lttng.h - Tracepoints of LTTng-UST -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A session enables mlir_prof:on_* and nothing else.
//
//===----------------------------------------------------------------------===//

#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER mlir_prof

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "lttng.h"

#if !defined(MLIR_PROF_BENCH_SCOPE_PEERS_LTTNG_H) ||                           \
    defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define MLIR_PROF_BENCH_SCOPE_PEERS_LTTNG_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(
    mlir_prof, on_begin, LTTNG_UST_TP_ARGS(int, site),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, site, site)))
LTTNG_UST_TRACEPOINT_EVENT(
    mlir_prof, on_end, LTTNG_UST_TP_ARGS(int, site),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, site, site)))
LTTNG_UST_TRACEPOINT_EVENT(
    mlir_prof, off_begin, LTTNG_UST_TP_ARGS(int, site),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, site, site)))
LTTNG_UST_TRACEPOINT_EVENT(
    mlir_prof, off_end, LTTNG_UST_TP_ARGS(int, site),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, site, site)))

#endif // MLIR_PROF_BENCH_SCOPE_PEERS_LTTNG_H

#include <lttng/tracepoint-event.h>
