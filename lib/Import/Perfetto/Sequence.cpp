//===- Sequence.cpp - State of a packet sequence --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sequence.h"
#include "../Common/FastWire.h"
#include "Packet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfetto;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

Annotation perfetto::getAnnotation(llvm::StringRef name) {
  return llvm::StringSwitch<Annotation>(name)
      .Cases({"op", "hlo_op"}, Annotation::Op)
      .Case("kernel", Annotation::Kernel)
      .Cases({"module", "hlo_module"}, Annotation::Module)
      .Case("program_id", Annotation::ProgramId)
      .Case("scope", Annotation::Scope)
      .Case("begin_ps", Annotation::BeginPs)
      .Case("duration_ps", Annotation::DurationPs)
      .Default(Annotation::Other);
}

void Sequence::clearDefaults() {
  clock = 0;
  track.reset();
  clockIndex = trackIndex = kNone;
}

void Sequence::clear() {
  clearDefaults();
  names.clear();
  categories.clear();
  annotations.clear();
  values.clear();
}

void Sequence::intern(llvm::StringRef message, ProfileBuilder &builder,
                      Texts &texts) {
  const char *at = message.begin();
  const char *end = message.end();
  while (at != end) {
    uint64_t tag = readVarint(at, end);
    if ((tag & 7) != 2) {
      skipField(tag, at, end);
      continue;
    }
    llvm::StringRef bytes = readBytes(at, end);
    switch (tag >> 3) {
    case 1: {
      Interned entry = readInterned(bytes);
      categories.set(entry.id, builder.addName(entry.text));
      break;
    }
    case 2: {
      Interned entry = readInterned(bytes);
      names.set(entry.id, builder.addName(entry.text));
      break;
    }
    case 3: {
      Interned entry = readInterned(bytes);
      annotations.set(entry.id, uint32_t(getAnnotation(entry.text)));
      break;
    }
    case 29: {
      Interned entry = readInterned(bytes);
      values.set(entry.id, texts.add(entry.text));
      break;
    }
    }
  }
}

void Sequence::setDefaults(llvm::StringRef message) {
  clearDefaults();
  const char *at = message.begin();
  const char *end = message.end();
  while (at != end) {
    uint64_t tag = readVarint(at, end);
    if (tag == (58 << 3)) {
      clock = uint32_t(readVarint(at, end));
    } else if (tag == (11 << 3 | 2)) {
      llvm::StringRef bytes = readBytes(at, end);
      const char *inner = bytes.begin();
      while (inner != bytes.end()) {
        uint64_t innerTag = readVarint(inner, bytes.end());
        if (innerTag == (11 << 3))
          track = readVarint(inner, bytes.end());
        else
          skipField(innerTag, inner, bytes.end());
      }
    } else {
      skipField(tag, at, end);
    }
  }
}
