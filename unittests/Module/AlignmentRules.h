//===- AlignmentRules.h - Small modules to test the rules of alignments *- C++
//-*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each module is written as "a = kind(x, y) name" lines: "#7" for an operand is
// a constant of these values, "@2" an integer one, "?2" one of unknown values,
// and operands that no line defines are arguments, as is "w = argument() name".
// Values are of one type, and those of "kind:4" of four elements. The name
// before "=" identifies the op; the alignment does not see it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_UNITTESTS_MODULE_ALIGNMENTRULES_H
#define MLIRPROF_UNITTESTS_MODULE_ALIGNMENTRULES_H

#include "mlir-prof/Module/Alignment.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "gtest/gtest.h"

namespace mlirprof::test {

class AlignmentRules : public ::testing::Test {
protected:
  AlignmentRules();

  /// The counterparts in `after` of the ops of `before`: "a:a b:a,b c:" and so
  /// on.
  std::string align(llvm::StringRef before, llvm::StringRef resultsBefore,
                    llvm::StringRef after, llvm::StringRef resultsAfter);

  /// The evidence of the last alignment, by the name of the op.
  llvm::StringMap<module::PairEvidence> evidence;

private:
  struct Tagged {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    /// By position; "" for constants and the ops around.
    std::vector<std::string> tags;
  };
  Tagged make(llvm::StringRef lines, llvm::StringRef results);

  mlir::MLIRContext context;
};

/// Layers, each computed from the one before. `write` writes one that is
/// computed from `from`, and whose result is called "s" with its number.
std::string makeLayers(
    llvm::ArrayRef<int> layers,
    llvm::function_ref<std::string(int layer, int place, std::string from)>
        write);

/// s = x + (abs x) w, where w is an argument. "%" in the name is the place.
std::string writeSum(int layer, int place, std::string from,
                     llvm::StringRef name);

/// The same with constants as weights.
std::string writeWeighted(int layer, int place, std::string from);

} // namespace mlirprof::test

#endif // MLIRPROF_UNITTESTS_MODULE_ALIGNMENTRULES_H
