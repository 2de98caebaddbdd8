//===- Tables.h - All forms of size tables ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_TABLES_TABLES_H
#define MLIR_PROF_LIB_DEPLOY_TABLES_TABLES_H

#include "mlir-prof/Deploy/Table.h"

namespace mlirprof::deploy::table {
#define MLIRPROF_SIZE_TABLE(NAME) SizeTable NAME();
#include "Tables.def"
} // namespace mlirprof::deploy::table

#endif // MLIR_PROF_LIB_DEPLOY_TABLES_TABLES_H
