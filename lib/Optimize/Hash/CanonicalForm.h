//===- CanonicalForm.h - An op as text without its names --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_HASH_CANONICALFORM_H
#define MLIR_PROF_LIB_OPTIMIZE_HASH_CANONICALFORM_H

#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace mlirprof::optimize {

/// How deep regions nest in a canonical form.
inline constexpr unsigned kMaxFormDepth = 64;

/// A canonical form, and the values around its op that it uses.
struct CanonicalForm {
  std::string text;
  /// Values of outside that the op's regions use, at their first use in it.
  llvm::SmallVector<mlir::Value> captures;
};
CanonicalForm makeCanonicalForm(mlir::Operation *op, ShapeForm form);

/// Writes types and attributes.
class AttributeWriter {
public:
  AttributeWriter(llvm::raw_ostream &os, ShapeForm form) : os(os), form(form) {}

  void writeType(mlir::Type type);
  /// `name` is that of the attribute on the op.
  void writeAttribute(llvm::StringRef name, mlir::Attribute attribute);
  /// The value of a constant.
  void writeConstant(mlir::Attribute value);

private:
  void write(mlir::Type type, unsigned depth);
  void write(mlir::Attribute attribute, unsigned depth);
  void write(mlir::AffineExpr expression, unsigned depth);
  void writeElements(mlir::Attribute elements, unsigned depth);
  void writeShape(mlir::Type type, llvm::StringRef kind, unsigned depth);
  void writeText(llvm::StringRef text);
  /// Whether there is no room for another part, `depth` levels down; says so.
  bool isTooMuch(unsigned depth);

  llvm::raw_ostream &os;
  ShapeForm form;
  /// Parts are shared in memory, so that few can stand for very many.
  unsigned partsLeft = 0;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_HASH_CANONICALFORM_H
