//===- Facts.cpp - Facts about a recording --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Facts.h"
#include "mlir-prof/Import/HloReader.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <optional>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::xplane;
using namespace mlirprof::profile;
using pbf_reader = mlirprof::ProtoReader;

static constexpr llvm::StringLiteral kTaskEnvironment = "Task Environment";

static void addFact(Run &run, llvm::StringRef plane, llvm::StringRef name,
                    llvm::StringRef value) {
  if (name == "jax_version") {
    run.producer.name = "JAX";
    run.producer.version = value.str();
  }
  std::string key =
      plane == kTaskEnvironment ? name.str() : (plane + ": " + name).str();
  run.facts.emplace_back(std::move(key), value.str());
}

static void readPlaneStats(Plane &plane, MemoryBudget &inflation,
                           ProfileBuilder &builder) {
  Texts texts;
  StatReader reader(plane.statMetadata, texts, inflation);
  Run &run = builder.getRun();
  for (llvm::StringRef message : plane.stats) {
    StatValue value;
    int64_t id = readStat(pbf_reader(message.data(), message.size()), value);
    const StatMetadata *metadata = plane.statMetadata.find(id);
    llvm::StringRef name = metadata ? metadata->name : "";
    addFact(run, plane.name, name, reader.print(value));
    if (plane.name != kTaskEnvironment || name != "profile_start_time")
      continue;
    std::optional<uint64_t> start = value.getInteger();
    if (start && *start <= uint64_t(std::numeric_limits<int64_t>::max())) {
      run.clock.anchorNs = int64_t(*start);
      run.clock.hasAnchor = true;
    }
  }
  if (reader.getUnusable())
    builder.loss("stat without a usable value", reader.getUnusable(), 0);
}

void xplane::readFacts(Space &space, ProfileBuilder &builder) {
  Run &run = builder.getRun();
  run.clock.name = "session";
  for (llvm::StringRef host : space.hostnames)
    run.machine.host += (run.machine.host.empty() ? "" : ", ") + host.str();
  // A broken recorder may repeat itself; the loss counts all errors.
  for (llvm::StringRef error : llvm::ArrayRef(space.errors).take_front(100))
    run.facts.emplace_back("error", error.str());
  if (!space.errors.empty())
    builder.loss("the profiler reported an error", space.errors.size(), 0);
  for (llvm::StringRef warning : space.warnings)
    run.facts.emplace_back("warning", warning.str());
  for (Plane &plane : space.planes)
    readPlaneStats(plane, space.inflation, builder);
  if (!run.clock.hasAnchor && !space.planes.empty())
    builder.loss("plane Task Environment with profile_start_time is missing: "
                 "the clock does not have an anchor",
                 1, 0);
  if (space.mistypedFields)
    builder.loss("field of an unexpected type", space.mistypedFields, 0);
}

//===----------------------------------------------------------------------===//
// HLO protos
//===----------------------------------------------------------------------===//

namespace {

/// A module, and the hash of the proto from which it was read.
struct ReadModule {
  HloModule module;
  uint64_t hash = 0;

  bool isSame(const ReadModule &other) const {
    return module.programId == other.module.programId &&
           module.name == other.module.name;
  }
};

/// Memory limits for all HLO protos of a file together.
struct Budgets {
  MemoryBudget &inflation;
  MemoryBudget &memory;
};

} // namespace

/// The proto in event metadata `message` with id `key`, if it has one.
static std::optional<HloProtoStat>
readHloStats(Plane &plane, llvm::StringRef message, int64_t key) {
  // Only JAX writes the program id that events use; in other files it is the
  // key.
  HloProtoStat result = {"", key, ""};
  bool hasProto = false;
  pbf_reader reader(message.data(), message.size());
  while (reader.next()) {
    if (reader.tag_and_type() == bytesField(2)) {
      result.name = toRef(reader.get_view());
      continue;
    }
    if (reader.tag_and_type() != bytesField(5)) {
      reader.skip();
      continue;
    }
    StatValue value;
    int64_t id = readStat(reader.get_message(), value);
    const StatMetadata *metadata = plane.statMetadata.find(id);
    if (metadata && metadata->kind == StatKind::HloProto) {
      result.proto = value.bytes;
      hasProto = true;
    } else if (metadata && metadata->kind == StatKind::ProgramId) {
      result.programId = int64_t(value.getInteger().value_or(uint64_t(key)));
    }
  }
  return hasProto ? std::optional(result) : std::nullopt;
}

void xplane::forEachHloProto(
    Space &space, llvm::function_ref<void(const HloProtoStat &)> use) {
  for (Plane &plane : space.planes) {
    bool hasProtos = false;
    for (size_t i = 0; i != plane.statMetadata.size(); ++i)
      hasProtos |= plane.statMetadata[i].kind == StatKind::HloProto;
    if (!hasProtos)
      continue;
    for (size_t i = 0; i != plane.eventMetadata.size(); ++i)
      if (auto proto = readHloStats(plane, plane.eventMetadata[i].message,
                                    plane.eventMetadata.getIds()[i]))
        use(*proto);
  }
}

static llvm::Error readHloModule(const HloProtoStat &stats, Budgets budgets,
                                 ProfileBuilder &builder,
                                 std::vector<ReadModule> &modules) {
  llvm::StringRef bytes = stats.proto;
  std::unique_ptr<llvm::MemoryBuffer> inflated;
  if (isGzip(bytes)) {
    auto plain = gunzip(bytes, stats.name, budgets.inflation.getLeft());
    if (!plain)
      return plain.takeError();
    inflated = std::move(*plain);
    bytes = inflated->getBuffer();
    budgets.inflation.charge(bytes.size());
  }
  HloModule module;
  module.programId = stats.programId;
  LossList losses;
  budgets.memory.grow(stats.proto.size());
  budgets.memory.growInflated(bytes.size());
  if (llvm::Error error =
          readHloProto(bytes, stats.name, module, losses, &budgets.memory))
    return error;
  for (const Loss &loss : losses)
    builder.loss(loss.name, loss.count, loss.timePs);
  modules.push_back({std::move(module),
                     llvm::xxh3_64bits(llvm::arrayRefFromStringRef(bytes))});
  return llvm::Error::success();
}

/// Passes each module on once: the planes of several hosts repeat them. Writers
/// put map entries in any order, on which the profile must not depend.
static void addModules(std::vector<ReadModule> modules,
                       ProfileBuilder &builder) {
  llvm::sort(modules, [](const ReadModule &a, const ReadModule &b) {
    return std::tie(a.module.programId, a.module.name, a.hash) <
           std::tie(b.module.programId, b.module.name, b.hash);
  });
  const ReadModule *last = nullptr;
  for (ReadModule &read : modules) {
    if (!last || !last->isSame(read)) {
      builder.getHloModules().push_back(read.module);
      last = &read;
    } else if (last->hash != read.hash) {
      builder.loss("HLO module whose name and program id another one has: left "
                   "out",
                   1, 0);
    }
  }
}

void xplane::readHloModules(Space &space, ProfileBuilder &builder) {
  std::vector<ReadModule> modules;
  MemoryBudget memory = makeHloBudget();
  forEachHloProto(space, [&](const HloProtoStat &stats) {
    llvm::Error error =
        readHloModule(stats, {space.inflation, memory}, builder, modules);
    if (!error)
      return;
    std::string why;
    llvm::handleAllErrors(std::move(error), [&](const InputError &error) {
      why = error.getWhat().str();
    });
    builder.loss(("HLO proto of " + stats.name.take_front(200) +
                  " is damaged: left out (" + why + ")")
                     .str(),
                 1, 0);
  });
  addModules(std::move(modules), builder);
}
