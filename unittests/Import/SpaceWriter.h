//===- SpaceWriter.h - Small recordings made for tests ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_IMPORT_SPACEWRITER_H
#define MLIR_PROF_UNITTESTS_IMPORT_SPACEWRITER_H

#include "mlir-prof/Import/Importer.h"

#include <protozero/pbf_writer.hpp>

using namespace mlirprof::profile;

namespace mlirprof::test {

/// Bytes of a message with one field of each kind as needed; small enough to
/// write any malformed message too.
class Message {
public:
  Message &integer(unsigned field, int64_t value);
  Message &text(unsigned field, llvm::StringRef value);
  Message &real(unsigned field, double value);
  Message &message(unsigned field, const Message &value) {
    return text(field, value.bytes);
  }
  Message &raw(llvm::StringRef value) {
    bytes += value.str();
    return *this;
  }

  std::string bytes;
};

/// XStat with a value in the given field: 4 signed, 5 string, 7 reference, ...
Message stat(int64_t id, unsigned field, int64_t value);
Message textStat(int64_t id, unsigned field, llvm::StringRef value);
/// XEvent.
Message event(int64_t id, int64_t offsetPs, int64_t durationPs,
              llvm::ArrayRef<Message> stats = {});
/// Map entry with metadata that has a name.
Message named(int64_t id, llvm::StringRef name);

/// Reads bytes with the importer of `format`.
llvm::Expected<Profile> read(llvm::StringRef bytes,
                             llvm::StringRef format = "xplane",
                             KeepEvents keep = {});
/// Reads bytes that must be readable.
Profile readOk(llvm::StringRef bytes, llvm::StringRef format = "xplane");

/// All numbers of a profile as text, to compare profiles.
std::string describe(const Profile &profile);
/// Count of the loss whose name contains `part`.
uint64_t lossCount(const Profile &profile, llvm::StringRef part);

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_IMPORT_SPACEWRITER_H
