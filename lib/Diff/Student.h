//===- Student.h - Student's distribution -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIFF_STUDENT_H
#define MLIR_PROF_LIB_DIFF_STUDENT_H

namespace mlirprof::diff {

/// The chance of |T| >= `t` with `freedom` degrees of freedom (at least 1), by
/// the continued fraction of the incomplete beta function.
double getStudentTail(double t, double freedom);

/// The `t` whose tail (see above) is `tail`, which lies between 0 and 1.
double getStudentQuantile(double tail, double freedom);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_STUDENT_H
