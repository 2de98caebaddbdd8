//===- Ops.h - Ops measured by slices ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFETTO_OPS_H
#define MLIR_PROF_LIB_IMPORT_PERFETTO_OPS_H

#include "Packet.h"
#include "Sequence.h"
#include "Slices.h"
#include "llvm/ADT/StringMap.h"

namespace mlirprof::importer::perfetto {

/// Finds the op keys of slices: by their debug annotations, else by their name
/// and category.
class Ops {
public:
  explicit Ops(profile::ProfileBuilder &builder) : builder(builder) {}

  /// `message` is the TrackEvent from which `event` was read. Throws
  /// protozero's exceptions.
  SliceOp get(llvm::StringRef message, const TrackEvent &event,
              const Sequence &sequence, uint32_t name) {
    if (event.hasAnnotations && !message.empty())
      return readAnnotated(message, event, sequence, name);
    SliceOp result;
    result.op = getNamed(event, sequence, name);
    return result;
  }

  /// Strings of annotations that are interned.
  Texts texts;

private:
  struct Facts {
    llvm::StringRef op, kernel, module, scope;
    int64_t programId = 0;
    bool hasProgramId = false;
    int64_t beginPs = 0, durationPs = 0;
    bool hasBegin = false, hasDuration = false;
  };

  SliceOp readAnnotated(llvm::StringRef message, const TrackEvent &event,
                        const Sequence &sequence, uint32_t name);
  Facts readFacts(llvm::StringRef message, const Sequence &sequence) const;
  uint32_t getAnnotated(const Facts &facts);
  uint32_t getNamed(const TrackEvent &event, const Sequence &sequence,
                    uint32_t name) {
    uint32_t category = trace::kNone;
    if (LLVM_UNLIKELY(!event.category.empty()))
      category = builder.addName(event.category);
    else if (event.categoryId)
      category = sequence.categories.find(event.categoryId);
    uint32_t op = named.find(uint64_t(name) << 32 | category);
    return LLVM_LIKELY(op != trace::kNone) ? op : addNamed(name, category);
  }
  uint32_t addNamed(uint32_t name, uint32_t category);

  profile::ProfileBuilder &builder;
  trace::IntegerMap named;
  llvm::StringMap<uint32_t> annotated;
};

} // namespace mlirprof::importer::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_OPS_H
