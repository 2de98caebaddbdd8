//===- LaunchOrder.cpp - Order in which a program launches ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchOrder.h"
#include "../Common/Wire.h"
#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>
#include <set>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::xplane;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using pbf_reader = mlirprof::ProtoReader;

namespace {

/// The fields of an HLO proto that HloModule leaves out.
struct ScheduleFields {
  /// By id of a computation: ids of its instructions in order.
  std::map<int64_t, std::vector<int64_t>> sequences;
  /// By id of an instruction: `deduplicated_name`, if it has one.
  std::map<int64_t, llvm::StringRef> codes;
};

/// Calls `use(reader)` for each field of `message`, which must read or skip it.
template <typename Use>
void forEachField(llvm::StringRef message, Use use) {
  pbf_reader reader(message.data(), message.size());
  while (reader.next())
    use(reader);
}

/// The submessage at the reader if it is field `number`; else skips the field,
/// and is null.
llvm::StringRef takeMessage(pbf_reader &reader, uint32_t number) {
  if (reader.tag_and_type() == bytesField(number))
    return toRef(reader.get_view());
  reader.skip();
  return llvm::StringRef();
}

void readInstruction(llvm::StringRef message, ScheduleFields &fields) {
  int64_t id = 0;
  llvm::StringRef code;
  forEachField(message, [&](pbf_reader &reader) {
    if (reader.tag_and_type() == varintField(35)) {
      id = reader.get_int64();
      return;
    }
    forEachField(takeMessage(reader, 7), [&](pbf_reader &metadata) {
      if (llvm::StringRef name = takeMessage(metadata, 12); !name.empty())
        code = name;
    });
  });
  if (!code.empty())
    fields.codes.try_emplace(id, code);
}

/// An entry of the map from computations to their order.
void readSequence(llvm::StringRef entry, ScheduleFields &fields) {
  int64_t computation = 0;
  std::vector<int64_t> ids;
  forEachField(entry, [&](pbf_reader &reader) {
    if (reader.tag_and_type() == varintField(1)) {
      computation = reader.get_int64();
      return;
    }
    forEachField(takeMessage(reader, 2), [&](pbf_reader &sequence) {
      if (sequence.tag_and_type() == bytesField(1)) {
        for (int64_t id : sequence.get_packed_int64())
          ids.push_back(id);
      } else if (sequence.tag_and_type() == varintField(1)) {
        ids.push_back(sequence.get_int64());
      } else {
        sequence.skip();
      }
    });
  });
  fields.sequences.try_emplace(computation, std::move(ids));
}

void readModule(llvm::StringRef module, ScheduleFields &fields) {
  forEachField(module, [&](pbf_reader &reader) {
    if (reader.tag_and_type() == bytesField(3)) {
      forEachField(toRef(reader.get_view()), [&](pbf_reader &computation) {
        readInstruction(takeMessage(computation, 2), fields);
      });
      return;
    }
    forEachField(takeMessage(reader, 7), [&](pbf_reader &schedule) {
      if (llvm::StringRef entry = takeMessage(schedule, 1); entry.data())
        readSequence(entry, fields);
    });
  });
}

/// Whether control flow passes through the computations that it calls; others
/// call them as a part of one piece of work.
bool isControlFlow(llvm::StringRef opcode) {
  return opcode == "while" || opcode == "conditional" || opcode == "call";
}

/// Whether it launches anything by itself.
bool launches(llvm::StringRef opcode) {
  return !HloIndex::isFree(opcode) && !isControlFlow(opcode) &&
         llvm::StringSwitch<bool>(opcode)
             .Cases({"after-all", "async-update", "async-done", "copy-done",
                     "partition-id", "replica-id"},
                    false)
             .Default(true);
}

} // namespace

std::string LaunchOrder::getKernelName(llvm::StringRef instruction) {
  std::string name = instruction.str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

LaunchOrder::LaunchOrder(llvm::StringRef proto, const HloIndex &index) {
  ScheduleFields fields;
  forEachField(proto, [&](pbf_reader &reader) {
    readModule(takeMessage(reader, 1), fields);
  });
  const HloModule &module = index.getModule();
  std::set<int64_t> parts;
  for (const HloInstruction &instruction : module.instructions)
    if (!isControlFlow(instruction.opcode))
      parts.insert(instruction.calledComputationIds.begin(),
                   instruction.calledComputationIds.end());
  for (const auto &[computation, ids] : fields.sequences) {
    if (parts.count(computation))
      continue;
    std::vector<Item> items;
    for (int64_t id : ids) {
      uint32_t at = index.findId(id);
      if (at == kNone || !launches(module.instructions[at].opcode))
        continue;
      llvm::StringRef name = module.instructions[at].name;
      auto code = fields.codes.find(id);
      uint32_t number =
          codeNumbers
              .try_emplace(code == fields.codes.end() ? name : code->second,
                           getCodeCount())
              .first->second;
      items.push_back({at, number});
      byKernel.try_emplace(getKernelName(name), items.back());
    }
    computations.push_back(std::move(items));
  }
}

const LaunchOrder::Item *LaunchOrder::findKernel(llvm::StringRef kernel) const {
  auto it = byKernel.find(kernel);
  if (it == byKernel.end()) {
    auto [name, number] = kernel.rsplit("__");
    if (!number.empty() && llvm::all_of(number, llvm::isDigit))
      it = byKernel.find(name);
  }
  return it == byKernel.end() ? nullptr : &it->second;
}
