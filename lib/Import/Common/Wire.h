//===- Wire.h - Reading protobufs -------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_WIRE_H
#define MLIR_PROF_LIB_IMPORT_COMMON_WIRE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include "mlir-prof/Support/MemoryBudget.h"
#include "mlir-prof/Support/ProtoReader.h"

namespace mlirprof::importer {

/// Thrown when a budget is exceeded.
struct TooLarge : std::exception {
  explicit TooLarge(uint64_t limit) : limit(limit) {}
  uint64_t limit;
};

/// Charges `bytes` to `budget`, or throws.
inline void charge(MemoryBudget &budget, uint64_t bytes) {
  if (!budget.charge(bytes))
    throw TooLarge(budget.getLimit());
}

/// Calls `read`, which may throw protozero's exceptions for malformed bytes,
/// and converts these to an error. `read` maintains `position`, which points
/// into `bytes`, near the error.
llvm::Error catchWireErrors(llvm::StringRef bytes, llvm::StringRef where,
                            const char *const &position,
                            llvm::function_ref<llvm::Error()> read);

/// The meaning of protozero's exception `error`, for people.
llvm::StringRef describeWireError(const protozero::exception &error);

inline llvm::StringRef toRef(protozero::data_view view) {
  return llvm::StringRef(view.data(), view.size());
}

constexpr uint32_t varintField(protozero::pbf_tag_type field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::varint);
}
constexpr uint32_t bytesField(protozero::pbf_tag_type field) {
  return protozero::tag_and_type(field,
                                 protozero::pbf_wire_type::length_delimited);
}
constexpr uint32_t fixed64Field(protozero::pbf_tag_type field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::fixed64);
}

} // namespace mlirprof::importer

#endif // MLIR_PROF_LIB_IMPORT_COMMON_WIRE_H
