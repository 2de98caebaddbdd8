//===- ValueCode.cpp - The code that records values -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueCode.h"

#include "mlir-prof/Runtime/prof_rt.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

ValueCode::ValueCode(RuntimeModule &runtime, ThreadBlocks &blocks,
                     const Program &program, int64_t firstCell)
    : runtime(runtime), blocks(blocks) {
  int64_t word = firstCell;
  for (const ValueSite &site : program.sites) {
    cells.push_back(word);
    word += PROF_RT_CELL_TUPLE + 2 * int64_t(site.names.size());
  }
}

/// `value` as i64. Conversions have left casts between index and i64.
static Value toWord(OpBuilder &builder, Location location, Value value) {
  Type word = builder.getI64Type();
  if (value.getType() == word)
    return value;
  if (auto cast = value.getDefiningOp<UnrealizedConversionCastOp>())
    if (cast.getInputs().size() == 1 &&
        cast.getInputs().front().getType() == word)
      return cast.getInputs().front();
  return UnrealizedConversionCastOp::create(builder, location, word, value)
      .getResult(0);
}

Value ValueCode::isNew(OpBuilder &builder, BlockWords &words, Location location,
                       int64_t cell, ValueRange tuple) {
  Value differs;
  for (auto [i, value] : llvm::enumerate(tuple)) {
    Value last = words.load(cell + PROF_RT_CELL_TUPLE + int64_t(i));
    Value other = LLVM::ICmpOp::create(builder, location,
                                       LLVM::ICmpPredicate::ne, last, value);
    differs = differs
                  ? Value(LLVM::OrOp::create(builder, location, differs, other))
                  : other;
  }
  return differs;
}

/// Stores `tuple` in its cell, and returns the cell's address.
static Value storeTuple(BlockWords &words, int64_t cell, ValueRange tuple) {
  int64_t first = cell + PROF_RT_CELL_TUPLE + int64_t(tuple.size());
  for (auto [i, value] : llvm::enumerate(tuple))
    words.store(first + int64_t(i), value);
  return words.getAddress(first);
}

static Value createNumber(OpBuilder &builder, Location location,
                          uint32_t number) {
  return LLVM::ConstantOp::create(builder, location, builder.getI32Type(),
                                  builder.getI32IntegerAttr(number));
}

void ValueCode::callChanged(OpBuilder &builder, BlockWords &words,
                            prof::ValueOp value, int64_t cell,
                            ValueRange tuple) {
  Location location = value.getLoc();
  storeTuple(words, cell, tuple);
  runtime.call(builder, location, "prof_rt_value_changed",
               LLVM::LLVMVoidType::get(builder.getContext()),
               {runtime.getAddress(builder, location, value),
                runtime.getTable(builder, location, value, value.getSite()),
                words.getAddress(cell)});
}

void ValueCode::callValue(OpBuilder &builder, BlockWords &words,
                          prof::ValueOp value, int64_t cell, ValueRange tuple) {
  Location location = value.getLoc();
  Value address = storeTuple(words, cell, tuple);
  runtime.call(builder, location, "prof_rt_value",
               LLVM::LLVMVoidType::get(builder.getContext()),
               {runtime.getAddress(builder, location, value),
                runtime.getTable(builder, location, value, value.getSite()),
                createNumber(builder, location, tuple.size()), address});
}

void ValueCode::lower(prof::ValueOp value) {
  Value base = blocks.get(value).cells;
  Location location = value.getLoc();
  OpBuilder builder(value);
  SmallVector<Value> tuple;
  for (Value element : value.getValues())
    tuple.push_back(toWord(builder, location, element));
  int64_t cell = cells[value.getSite()];
  BlockWords words(builder, location, base);
  if (value.getHot() && canBranch(value)) {
    // An all-zero cell with a zero count is correct for a tuple of zeros, so no
    // further check is needed.
    Value differs = isNew(builder, words, location, cell, tuple);
    Value same = LLVM::ZExtOp::create(
        builder, location, builder.getI64Type(),
        LLVM::XOrOp::create(
            builder, location, differs,
            LLVM::ConstantOp::create(builder, location, builder.getI1Type(),
                                     builder.getBoolAttr(true))));
    words.add(cell + PROF_RT_CELL_COUNT, same);
    Block *aside = branchTo(builder, location, differs);
    builder.setInsertionPointToStart(aside);
    callChanged(builder, words, value, cell, tuple);
  } else {
    callValue(builder, words, value, cell, tuple);
  }
  value.erase();
}
