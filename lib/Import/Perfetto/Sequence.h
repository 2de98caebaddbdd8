//===- Sequence.h - State of a packet sequence ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFETTO_SEQUENCE_H
#define MLIR_PROF_LIB_IMPORT_PERFETTO_SEQUENCE_H

#include "mlir-prof/Profile/ProfileBuilder.h"
#include "mlir-prof/Trace/IntegerMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/StringSaver.h"

#include <optional>
#include <vector>

namespace mlirprof::importer::perfetto {

/// Maps interned ids to values. Producers count from 1, which an array handles;
/// it never becomes much longer than the number of calls of set(), whatever ids
/// a file contains.
class InternTable {
public:
  void set(uint64_t id, uint32_t value) {
    ++sets;
    if (id < 2 * sets + 16) {
      if (id >= dense.size())
        dense.resize(size_t(id) + 1, trace::kNone);
      dense[size_t(id)] = value;
      return;
    }
    sparse[id] = value;
  }
  /// kNone if the id is absent.
  uint32_t find(uint64_t id) const {
    uint32_t value = id < dense.size() ? dense[size_t(id)] : trace::kNone;
    // The id may have been set before the array reached it.
    return value != trace::kNone ? value : sparse.find(id);
  }
  void clear() { *this = InternTable(); }

private:
  uint64_t sets = 0;
  std::vector<uint32_t> dense;
  trace::IntegerMap sparse;
};

/// Debug annotations that identify the measured op, and times to the
/// picosecond.
enum class Annotation : uint32_t {
  Other,
  Op,
  Kernel,
  Module,
  ProgramId,
  Scope,
  BeginPs,
  DurationPs,
};

Annotation getAnnotation(llvm::StringRef name);

/// Stores the strings of all sequences.
struct Texts {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver{allocator};
  std::vector<llvm::StringRef> list;

  uint32_t add(llvm::StringRef text) {
    list.push_back(saver.save(text));
    return uint32_t(list.size() - 1);
  }
};

/// The state shared by packets of one writer, which they need not repeat.
struct Sequence {
  /// Whether the interned data are complete: from a packet that clears them to
  /// one that follows a loss.
  bool isValid = false;
  /// Changes whenever the same bytes may have another meaning.
  uint64_t state = 0;
  /// Defaults; clock 0 is the trace's.
  uint32_t clock = 0;
  std::optional<uint64_t> track;
  /// Indices of these two, determined on demand; kNone until then.
  uint32_t clockIndex = trace::kNone;
  uint32_t trackIndex = trace::kNone;
  /// Index of the track of a thread descriptor, the old form of a default.
  uint32_t threadTrack = trace::kNone;
  int64_t referenceUs = 0;
  /// Names of events, and categories, as names of the builder.
  InternTable names, categories;
  /// Annotation, and index into Texts::list.
  InternTable annotations, values;

  void clear();
  void clearDefaults();
  /// Reads the messages InternedData and TracePacketDefaults. Throw protozero's
  /// exceptions.
  void intern(llvm::StringRef message, profile::ProfileBuilder &builder,
              Texts &texts);
  void setDefaults(llvm::StringRef message);
};

} // namespace mlirprof::importer::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_SEQUENCE_H
