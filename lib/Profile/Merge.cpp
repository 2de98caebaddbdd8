//===- Merge.cpp - Union of profiles ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/Merge.h"
#include "Proto.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::schema;

static auto rankOf(const OpKey &key) {
  return std::tie(key.kind, key.module, key.hasModule, key.programId,
                  key.hasProgramId, key.op, key.kernel, key.node);
}

namespace {

struct KeyLess {
  bool operator()(const OpKey &a, const OpKey &b) const {
    return rankOf(a) < rankOf(b);
  }
};

/// Sorted strings and op keys, and runs translated to them.
struct Tables {
  std::set<std::string> strings;
  std::set<OpKey, KeyLess> opKeys;

  void add(const Profile &profile);
  /// Only what `run` of `profile` uses.
  void add(const Profile &profile, const Run &run);
  /// Translates runs of `profile` in place, to indices into these tables.
  void translate(const Profile &profile, llvm::MutableArrayRef<Run> runs) const;
  void store(Profile &profile) const;
};

} // namespace

void Tables::add(const Profile &profile) {
  strings.insert(profile.strings.begin(), profile.strings.end());
  opKeys.insert(profile.opKeys.begin(), profile.opKeys.end());
}

void Tables::add(const Profile &profile, const Run &run) {
  for (const EventSummary &event : run.events)
    strings.insert(profile.strings[event.name]);
  for (const OpSummary &op : run.ops)
    opKeys.insert(profile.opKeys[op.op]);
  for (uint32_t name : run.kept.name)
    strings.insert(profile.strings[name]);
  for (uint32_t op : run.kept.op)
    if (op != kNone)
      opKeys.insert(profile.opKeys[op]);
}

/// For each of `from` its index in `sorted`, kNone where it is missing.
template <typename T, typename Less>
static std::vector<uint32_t> indicesIn(const std::set<T, Less> &sorted,
                                       const std::vector<T> &from) {
  std::map<T, uint32_t, Less> numbers;
  for (const T &value : sorted)
    numbers.emplace_hint(numbers.end(), value, uint32_t(numbers.size()));
  std::vector<uint32_t> indices;
  for (const T &value : from) {
    auto it = numbers.find(value);
    indices.push_back(it == numbers.end() ? kNone : it->second);
  }
  return indices;
}

void Tables::translate(const Profile &profile,
                       llvm::MutableArrayRef<Run> runs) const {
  std::vector<uint32_t> names = indicesIn(strings, profile.strings);
  std::vector<uint32_t> keys = indicesIn(opKeys, profile.opKeys);
  for (Run &run : runs) {
    for (EventSummary &event : run.events)
      event.name = names[event.name];
    for (OpSummary &op : run.ops)
      op.op = keys[op.op];
    for (uint32_t &name : run.kept.name)
      name = names[name];
    for (uint32_t &op : run.kept.op)
      if (op != kNone)
        op = keys[op];
  }
}

void Tables::store(Profile &profile) const {
  profile.strings.assign(strings.begin(), strings.end());
  profile.opKeys.assign(opKeys.begin(), opKeys.end());
}

/// `run` as bytes that do not depend on what else its profile holds.
static std::string canonicalForm(const Profile &profile, const Run &run) {
  Tables tables;
  tables.add(profile, run);
  Profile alone;
  tables.store(alone);
  alone.runs.push_back(run);
  tables.translate(profile, alone.runs);

  std::string bytes;
  ProtoWriter writer(alone);
  for (const std::string &string : alone.strings)
    ProtoWriter::addString(string, bytes);
  for (const OpKey &key : alone.opKeys)
    writer.add(key, 0, bytes);
  writer.add(alone.runs.front(), 0, bytes);
  for (size_t begin = 0; begin < run.kept.size(); begin += kEventsPerBlock)
    writer.add(makeEventBlock(alone.runs.front(), 0, begin), 0, bytes);
  return bytes;
}

/// The longer form has more in it; kept events, say.
static bool isLess(llvm::StringRef a, llvm::StringRef b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

static llvm::Error checkMergeable(const Profile &profile) {
  if (profile.minor > Profile::kMinor || !profile.unknownSections.empty() ||
      !profile.unknownFields.empty())
    return inputError("profile",
                      "has parts of a newer version of the format (" +
                          llvm::Twine(Profile::kMajor) + "." +
                          llvm::Twine(profile.minor) +
                          "), which cannot be merged exactly",
                      "Merge it with the mlir-prof that wrote it.");
  for (const Run &run : profile.runs)
    if (run.hash.empty())
      return inputError("profile", "has a run without a content hash",
                        "Import its recording again.");
  return llvm::Error::success();
}

template <typename Module>
static std::string encode(const Module &module) {
  std::string bytes;
  ProtoWriter(Profile()).add(module, 0, bytes);
  return bytes;
}

/// Unites the HLO modules, sorted by name and program.
static llvm::Error uniteHlo(llvm::ArrayRef<const Profile *> profiles,
                            Profile &merged) {
  using Key = std::pair<std::string, int64_t>;
  std::map<Key, std::pair<const HloModule *, std::string>> modules;
  for (const Profile *profile : profiles) {
    for (const HloModule &module : profile->hloModules) {
      std::string bytes = encode(module);
      auto [it, isNew] = modules.try_emplace(Key(module.name, module.programId),
                                             &module, bytes);
      if (!isNew && it->second.second != bytes)
        return inputError("profile",
                          "HLO module " + module.name + " (program " +
                              llvm::Twine(module.programId) +
                              ") is another one in each profile",
                          "Merge only recordings of one build of the model.");
    }
  }
  for (const auto &entry : modules)
    merged.hloModules.push_back(*entry.second.first);
  return llvm::Error::success();
}

/// Unites the programs, sorted by fingerprint.
static llvm::Error unitePrograms(llvm::ArrayRef<const Profile *> profiles,
                                 Profile &merged) {
  std::map<std::string, std::pair<const Program *, std::string>> programs;
  for (const Profile *profile : profiles) {
    for (const Program &program : profile->programs) {
      std::string bytes = encode(program);
      auto [it, isNew] =
          programs.try_emplace(program.fingerprint, &program, bytes);
      if (!isNew && it->second.second != bytes)
        return inputError("profile",
                          "program " + program.fingerprint +
                              " is another one in each profile",
                          "One of them is damaged; record it again.");
    }
  }
  for (const auto &entry : programs)
    merged.programs.push_back(*entry.second.first);
  return llvm::Error::success();
}

/// Unites the IR modules, sorted by program and level.
static llvm::Error uniteIr(llvm::ArrayRef<const Profile *> profiles,
                           Profile &merged) {
  using Key = std::pair<std::string, std::string>;
  std::map<Key, std::pair<const IrModule *, std::string>> modules;
  for (const Profile *profile : profiles) {
    for (const IrModule &module : profile->irModules) {
      std::string bytes = encode(module);
      auto [it, isNew] = modules.try_emplace(Key(module.program, module.level),
                                             &module, bytes);
      if (isNew)
        continue;
      auto &[known, knownBytes] = it->second;
      if (known->fingerprint != module.fingerprint ||
          known->bytecode != module.bytecode)
        return inputError("profile",
                          "the module of level " + module.level +
                              " is another one in each profile",
                          "Merge only recordings of one build of the model.");
      // They differ in their source, which is for people only.
      if (bytes < knownBytes)
        it->second = {&module, std::move(bytes)};
    }
  }
  for (const auto &entry : modules)
    merged.irModules.push_back(*entry.second.first);
  return llvm::Error::success();
}

static void uniteRuns(llvm::ArrayRef<const Profile *> profiles,
                      Profile &merged) {
  Tables tables;
  for (const Profile *profile : profiles)
    tables.add(*profile);
  tables.store(merged);

  using Source = std::pair<const Profile *, const Run *>;
  std::map<std::string, Source> chosen;
  for (const Profile *profile : profiles) {
    for (const Run &run : profile->runs) {
      auto [it, isNew] = chosen.try_emplace(run.hash, profile, &run);
      if (!isNew && isLess(canonicalForm(*it->second.first, *it->second.second),
                           canonicalForm(*profile, run)))
        it->second = {profile, &run};
    }
  }
  for (const auto &entry : chosen) {
    const auto &[profile, run] = entry.second;
    merged.runs.push_back(*run);
    tables.translate(*profile, llvm::MutableArrayRef(merged.runs.back()));
  }
}

llvm::Expected<Profile>
mlirprof::mergeProfiles(llvm::ArrayRef<const Profile *> profiles) {
  Profile merged;
  for (const Profile *profile : profiles)
    if (llvm::Error error = checkMergeable(*profile))
      return std::move(error);
  if (llvm::Error error = uniteHlo(profiles, merged))
    return std::move(error);
  if (llvm::Error error = uniteIr(profiles, merged))
    return std::move(error);
  if (llvm::Error error = unitePrograms(profiles, merged))
    return std::move(error);
  uniteRuns(profiles, merged);
  return std::move(merged);
}
