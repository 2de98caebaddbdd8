//===- RepeatedCode.h - Compiling alike layers once ----------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_REPEATS_REPEATEDCODE_H
#define MLIR_PROF_LIB_COMPILE_REPEATS_REPEATEDCODE_H

#include "Copies.h"
#include "mlir-prof/Codegen/ConstantScope.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>

namespace mlirprof::compile {

/// A function without most of its alike layers, while passes run on it.
///
/// Four copies of the layer stay: the first, two more, and the last. Passes see
/// what is around each of them as it is in the whole function. If they leave
/// two layers in the middle alike, others in their place would be, too, and are
/// put there: with their own locations, and their own weights, made as those of
/// the others were made.
class RepeatedCode {
public:
  /// Takes the layers out of the function `name` of `module`, which gets a
  /// shorter one of that name. Null, and the module as it was, if there are too
  /// few alike layers.
  static std::unique_ptr<RepeatedCode> shorten(mlir::ModuleOp module,
                                               llvm::StringRef name);

  /// Puts the layers into the function that passes have made of the short one.
  /// Fails without an error message if they do not follow from those that
  /// stayed; the module is then only good for restore().
  llvm::LogicalResult expand(codegen::ConstantScope &constants);
  /// Puts the whole function in the place of what has become of the short one.
  void restore();

private:
  RepeatedCode(mlir::ModuleOp module, mlir::func::FuncOp whole, Copies copies);

  mlir::ModuleOp module;
  std::string name;
  mlir::OwningOpRef<mlir::func::FuncOp> whole;
  Copies copies;
};

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_REPEATS_REPEATEDCODE_H
