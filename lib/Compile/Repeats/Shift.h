//===- Shift.h - Constants and locations of copies ------------ -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_REPEATS_SHIFT_H
#define MLIR_PROF_LIB_COMPILE_REPEATS_SHIFT_H

#include "Copies.h"
#include "mlir-prof/Codegen/ConstantScope.h"

namespace mlirprof::compile {

/// The first and the last of the copies that stay to which something belongs;
/// none if `first` is greater.
struct CopyRange {
  unsigned first = kKeptCopies, last = 0;

  bool isEmpty() const { return first > last; }
  void add(const CopyRange &other) {
    if (other.isEmpty())
      return;
    first = std::min(first, other.first);
    last = std::max(last, other.last);
  }
};

/// Finds what copies that were removed have in the place of what is in those
/// that stay.
class Shift {
public:
  using Entry = Copies::Entry;

  Shift(const Copies &copies, codegen::ConstantScope &scope)
      : copies(copies), scope(scope) {}

  /// Whether `later` is to a copy what `earlier` is to the copy before.
  bool follows(mlir::Attribute earlier, mlir::Attribute later);
  /// The copies to whose weights a constant owes its values. Fails if that is
  /// not known.
  llvm::FailureOr<CopyRange> getRange(mlir::Attribute constant);
  /// The same for the constant with a memory, which may be freed.
  llvm::FailureOr<CopyRange> getRange(Entry *entry);
  CopyRange getRange(mlir::LocationAttr location);

  /// The constant in the copy that is `by` after that of `constant`, made in
  /// the same way; `constant` itself if all copies share it.
  llvm::FailureOr<mlir::DenseResourceElementsAttr>
  shift(mlir::DenseResourceElementsAttr constant, unsigned by);
  /// The constant after `constant` is `next`, which exists already.
  void setNext(mlir::DenseResourceElementsAttr constant,
               mlir::DenseResourceElementsAttr next);
  /// The location in the copy that is `by` after that of `later`, which is in
  /// the copy after that of `earlier`.
  llvm::FailureOr<mlir::LocationAttr>
  shift(mlir::LocationAttr earlier, mlir::LocationAttr later, unsigned by);
  /// The location `by` copies after `location`, if it belongs to `first` or a
  /// later copy; else `location`.
  llvm::FailureOr<mlir::LocationAttr>
  shiftFrom(unsigned first, mlir::LocationAttr location, unsigned by);

private:
  llvm::FailureOr<mlir::DenseResourceElementsAttr>
  make(const codegen::ConstantRecipe &recipe, unsigned by);

  const Copies &copies;
  codegen::ConstantScope &scope;
  llvm::DenseMap<std::pair<Entry *, unsigned>, mlir::DenseResourceElementsAttr>
      made;
};

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_REPEATS_SHIFT_H
