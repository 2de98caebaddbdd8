//===- RunTables.cpp - Names and op keys shared by runs -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/RunTables.h"
#include "../File/Proto.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <numeric>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;
using namespace mlirprof::trace;

/// Calls `renumberString` and `renumberKey` with every index of `run`.
template <typename String, typename Key>
static void forEachIndex(Run &run, String &&renumberString, Key &&renumberKey) {
  for (EventSummary &event : run.events)
    renumberString(event.name);
  for (OpSummary &op : run.ops)
    renumberKey(op.op);
  for (uint32_t &name : run.kept.name)
    renumberString(name);
  for (uint32_t &op : run.kept.op)
    if (op != kNone)
      renumberKey(op);
}

void Renumbering::apply(Run &run) const {
  forEachIndex(
      run, [&](uint32_t &name) { name = strings[name]; },
      [&](uint32_t &op) { op = opKeys[op]; });
}

uint32_t RunTables::addString(const std::string &string) {
  auto [it, isNew] =
      stringNumbers.try_emplace(string, uint32_t(strings.size()));
  if (isNew)
    strings.push_back(string);
  return it->second;
}

uint32_t RunTables::addOpKey(const OpKey &key) {
  auto [it, isNew] = keyNumbers.try_emplace(key, uint32_t(opKeys.size()));
  if (isNew)
    opKeys.push_back(key);
  return it->second;
}

Renumbering RunTables::add(const Profile &profile) {
  Renumbering numbers;
  for (const std::string &string : profile.strings)
    numbers.strings.push_back(addString(string));
  for (const OpKey &key : profile.opKeys)
    numbers.opKeys.push_back(addOpKey(key));
  return numbers;
}

void RunTables::addUsed(llvm::ArrayRef<std::string> fromStrings,
                        llvm::ArrayRef<OpKey> fromKeys, Run &run) {
  Renumbering known{std::vector<uint32_t>(fromStrings.size(), kNone),
                    std::vector<uint32_t>(fromKeys.size(), kNone)};
  forEachIndex(
      run,
      [&](uint32_t &name) {
        uint32_t &number = known.strings[name];
        name = number == kNone ? number = addString(fromStrings[name]) : number;
      },
      [&](uint32_t &op) {
        uint32_t &number = known.opKeys[op];
        op = number == kNone ? number = addOpKey(fromKeys[op]) : number;
      });
}

/// Moves `from` sorted into `to`; returns the new number of each.
template <typename T, typename Less>
static std::vector<uint32_t> storeSorted(const std::vector<T> &from,
                                         std::vector<T> &to, Less less) {
  std::vector<uint32_t> order(from.size()), numbers(from.size());
  std::iota(order.begin(), order.end(), 0u);
  llvm::sort(order,
             [&](uint32_t a, uint32_t b) { return less(from[a], from[b]); });
  to.clear();
  for (uint32_t i : order) {
    numbers[i] = uint32_t(to.size());
    to.push_back(from[i]);
  }
  return numbers;
}

Renumbering RunTables::store(Profile &profile) const {
  return {storeSorted(strings, profile.strings, std::less<std::string>()),
          storeSorted(opKeys, profile.opKeys, OpKeyLess())};
}

std::string profile::getCanonicalForm(llvm::ArrayRef<std::string> strings,
                                      llvm::ArrayRef<OpKey> opKeys,
                                      const Run &run) {
  Profile alone;
  alone.runs.push_back(run);
  Run &copy = alone.runs.front();
  RunTables used;
  used.addUsed(strings, opKeys, copy);
  used.store(alone).apply(copy);

  std::string bytes;
  ProtoWriter writer(alone);
  for (const std::string &string : alone.strings)
    ProtoWriter::addString(string, bytes);
  for (const OpKey &key : alone.opKeys)
    writer.add(key, 0, bytes);
  writer.add(copy, 0, bytes);
  for (size_t begin = 0; begin < run.kept.size(); begin += kEventsPerBlock)
    writer.add(makeEventBlock(copy, 0, begin), 0, bytes);
  if (run.job)
    writer.add(JobMessage{0, *run.job}, 0, bytes);
  if (!run.scopes)
    return bytes;
  writer.add(makeScopeRecord(*run.scopes, 0), 0, bytes);
  for (size_t begin = 0; begin < run.scopes->events.size();
       begin += kEventsPerBlock)
    writer.add(makeScopeBlock(*run.scopes, 0, begin), 0, bytes);
  for (size_t begin = 0; begin < run.scopes->memory.size();
       begin += kEventsPerBlock)
    writer.add(makeMemoryBlock(*run.scopes, 0, begin), 0, bytes);
  for (size_t begin = 0; begin < run.scopes->counts.size();
       begin += kEventsPerBlock)
    writer.add(makeCountBlock(*run.scopes, 0, begin), 0, bytes);
  return bytes;
}

llvm::Error profile::checkMergeable(const Profile &profile,
                                    llvm::StringRef where) {
  if (profile.minor > Profile::kMinor || !profile.unknownSections.empty() ||
      !profile.unknownFields.empty())
    return inputError(where,
                      "has parts of a newer version of the format (" +
                          llvm::Twine(Profile::kMajor) + "." +
                          llvm::Twine(profile.minor) +
                          "), which cannot be merged exactly",
                      "Merge it with the mlir-prof that wrote it.");
  for (const Run &run : profile.runs)
    if (run.hash.empty())
      return inputError(where, "has a run without a content hash",
                        "Import its recording again.");
  return llvm::Error::success();
}

std::string profile::describeMachine(const Machine &machine) {
  if (machine.cpu.empty())
    return machine.host.empty() ? "unknown" : machine.host;
  std::string text = machine.cpu;
  if (machine.threads)
    text += ", " + std::to_string(machine.threads) +
            (machine.threads == 1 ? " thread" : " threads");
  if (!machine.os.empty())
    text += ", " + machine.os;
  return text;
}

bool profile::isSameMachine(const Machine &a, const Machine &b) {
  auto differ = [](const auto &x, const auto &y, const auto &unknown) {
    return x != unknown && y != unknown && x != y;
  };
  const std::string none;
  const std::vector<std::string> noFeatures;
  // Containers change their names: these are evidence only if nothing else is
  // known.
  bool knowBoth = !a.cpu.empty() && !b.cpu.empty();
  return !differ(a.cpu, b.cpu, none) &&
         !differ(a.features, b.features, noFeatures) &&
         !differ(a.threads, b.threads, 0u) && !differ(a.os, b.os, none) &&
         (knowBoth || !differ(a.host, b.host, none));
}

static bool isKnown(const Machine &machine) {
  return !machine.cpu.empty() || !machine.host.empty() || !machine.os.empty() ||
         machine.threads != 0 || !machine.features.empty();
}

std::vector<std::string> profile::nameMachines(const Profile &profile) {
  std::vector<std::string> names(profile.runs.size());
  // There are few machines, whatever the number of runs.
  std::vector<const Machine *> machines;
  std::vector<size_t> machineOf;
  for (const Run &run : profile.runs) {
    auto it = llvm::find_if(machines, [&](const Machine *known) {
      return isSameMachine(*known, run.machine);
    });
    machineOf.push_back(size_t(it - machines.begin()));
    if (it == machines.end() && isKnown(run.machine))
      machines.push_back(&run.machine);
  }
  if (machines.size() < 2)
    return names;
  std::map<std::string, unsigned> uses;
  std::vector<std::string> texts;
  for (const Machine *machine : machines) {
    texts.push_back(machine->host.empty() ? describeMachine(*machine)
                                          : machine->host);
    ++uses[texts.back()];
  }
  for (auto [number, text] : llvm::enumerate(texts))
    if (uses[text] > 1)
      text += " (machine " + std::to_string(number + 1) + ")";
  for (auto [run, machine, name] :
       llvm::zip_equal(profile.runs, machineOf, names))
    name = isKnown(run.machine) ? texts[machine] : "an unknown machine";
  return names;
}
