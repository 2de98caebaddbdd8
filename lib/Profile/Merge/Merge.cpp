//===- Merge.cpp - Union of profiles --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/Merge.h"
#include "../File/Proto.h"
#include "SameScopes.h"
#include "mlir-prof/Profile/RunTables.h"
#include "mlir-prof/Profile/StoredModule.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

namespace {

/// A run and the profile from which it came.
struct MergedRun {
  Run run;
  std::string where;
  /// Whether a profile with this run contains the module with which it was
  /// imported.
  bool isOfModule = false;
};

using HloKey = std::pair<std::string, int64_t>;
using IrKey = std::pair<std::string, std::string>;

} // namespace

struct ProfileMerger::Impl {
  explicit Impl(MachineRule rule) : rule(rule) {}

  llvm::Error add(HloModule module, llvm::StringRef where);
  llvm::Error add(IrModule module, llvm::StringRef where);
  llvm::Error add(Program program, llvm::StringRef where);
  void add(Run run, bool isOfModule, llvm::StringRef where);
  /// Marks runs to which the stored module does not belong.
  void markRuns(const Profile &merged);
  llvm::Error checkMachines() const;
  llvm::Error checkOverlaps() const;
  /// Leaves one of the runs with the same scopes.
  llvm::Error dropCopies();
  llvm::Error dropCopies(llvm::ArrayRef<MergedRun *> ofSession,
                         std::set<std::string> &dropped) const;

  MachineRule rule;
  RunTables tables;
  std::map<HloKey, HloModule> hloModules;
  std::map<IrKey, IrModule> irModules;
  /// By fingerprint.
  std::map<std::string, Program> programs;
  /// By hash.
  std::map<std::string, MergedRun> runs;
};

template <typename Module>
static std::string encode(const Module &module) {
  std::string bytes;
  ProtoWriter(Profile()).add(module, 0, bytes);
  return bytes;
}

static constexpr const char *kOneBuild =
    "Merge only recordings of one build of the model.";

llvm::Error ProfileMerger::Impl::add(HloModule module, llvm::StringRef where) {
  HloKey key(module.name, module.programId);
  auto it = hloModules.find(key);
  if (it == hloModules.end())
    hloModules.emplace(std::move(key), std::move(module));
  else if (encode(it->second) != encode(module))
    return inputError(where,
                      "HLO module " + module.name + " (program " +
                          llvm::Twine(module.programId) +
                          ") differs from that in the profiles before",
                      kOneBuild);
  return llvm::Error::success();
}

llvm::Error ProfileMerger::Impl::add(IrModule module, llvm::StringRef where) {
  IrKey key(module.program, module.level);
  auto it = irModules.find(key);
  if (it == irModules.end()) {
    irModules.emplace(std::move(key), std::move(module));
    return llvm::Error::success();
  }
  if (it->second.fingerprint != module.fingerprint ||
      it->second.bytecode != module.bytecode)
    return inputError(where,
                      "the module of level " + module.level +
                          " differs from that in the profiles before",
                      kOneBuild);
  // They differ in their source, which is for people only, and older profiles
  // lack the hashes of values.
  size_t known = it->second.values.size();
  if (module.values.size() > known ||
      (module.values.size() == known && encode(module) < encode(it->second)))
    it->second = std::move(module);
  return llvm::Error::success();
}

llvm::Error ProfileMerger::Impl::add(Program program, llvm::StringRef where) {
  auto it = programs.find(program.fingerprint);
  if (it == programs.end())
    programs.emplace(program.fingerprint, std::move(program));
  else if (encode(it->second) != encode(program))
    return inputError(where,
                      "program " + program.fingerprint +
                          " differs from that in the profiles before",
                      "One of them is damaged; record it again.");
  return llvm::Error::success();
}

/// The longer form contains more, such as kept events.
static bool isLess(llvm::StringRef a, llvm::StringRef b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

void ProfileMerger::Impl::add(Run run, bool isOfModule, llvm::StringRef where) {
  // The fact belongs to the profile, not to the recording.
  setOfStoredModule(run, true);
  auto it = runs.find(run.hash);
  if (it == runs.end()) {
    std::string hash = run.hash;
    runs.emplace(std::move(hash),
                 MergedRun{std::move(run), where.str(), isOfModule});
    return;
  }
  isOfModule |= it->second.isOfModule;
  auto strings = tables.getStrings();
  auto opKeys = tables.getOpKeys();
  if (isLess(getCanonicalForm(strings, opKeys, it->second.run),
             getCanonicalForm(strings, opKeys, run)))
    it->second = {std::move(run), where.str(), isOfModule};
  it->second.isOfModule = isOfModule;
}

void ProfileMerger::Impl::markRuns(const Profile &merged) {
  if (!hasStoredModule(merged))
    return;
  for (auto &[hash, entry] : runs)
    setOfStoredModule(entry.run, entry.isOfModule);
}

llvm::Error ProfileMerger::Impl::checkMachines() const {
  if (rule == MachineRule::Mixed)
    return llvm::Error::success();
  // One run per machine: there are few, whatever the number of runs.
  std::vector<const MergedRun *> machines;
  for (const auto &[hash, merged] : runs) {
    const Machine &machine = merged.run.machine;
    bool isNew = true;
    for (const MergedRun *other : machines) {
      const Machine &known = other->run.machine;
      if (!isSameMachine(known, machine))
        return inputError(
            merged.where,
            "was measured on another machine (" + describeMachine(machine) +
                ") than " + other->where + " (" + describeMachine(known) + ")",
            "Give --mix-machines to mix times of different machines.");
      isNew &= known.cpu != machine.cpu || known.host != machine.host ||
               known.features != machine.features ||
               known.threads != machine.threads || known.os != machine.os;
    }
    if (isNew)
      machines.push_back(&merged);
  }
  return llvm::Error::success();
}

llvm::Error ProfileMerger::Impl::checkOverlaps() const {
  std::map<llvm::StringRef, const MergedRun *> owners;
  for (const auto &[hash, merged] : runs) {
    llvm::ArrayRef<std::string> recordings = merged.run.folded;
    if (recordings.empty())
      recordings = merged.run.hash;
    for (const std::string &recording : recordings) {
      auto [it, isNew] = owners.try_emplace(recording, &merged);
      if (!isNew && it->second != &merged)
        return inputError(merged.where,
                          "recording " + recording + " is in " +
                              it->second->where +
                              " too, and was folded by compact: its times "
                              "would count twice",
                          "Merge first and compact afterward.");
    }
  }
  return llvm::Error::success();
}

/// Whether a run has nothing but scopes.
static bool isOfScopes(const Run &run) {
  return run.producer.format == "scopes";
}

llvm::Error
ProfileMerger::Impl::dropCopies(llvm::ArrayRef<MergedRun *> ofSession,
                                std::set<std::string> &dropped) const {
  for (size_t first = 0; first != ofSession.size(); ++first)
    for (size_t second = first + 1; second != ofSession.size(); ++second) {
      const MergedRun &a = *ofSession[first], &b = *ofSession[second];
      if (dropped.count(a.run.hash) || dropped.count(b.run.hash))
        continue;
      // Processes of two machines may have one number and start at one moment.
      if (!isSameMachine(a.run.machine, b.run.machine))
        continue;
      Containment ofFirst = compareScopes(*a.run.scopes, *b.run.scopes);
      Containment ofSecond = compareScopes(*b.run.scopes, *a.run.scopes);
      // One without scopes is inside of another that is apart from it.
      bool isAnyApart =
          ofFirst == Containment::Apart || ofSecond == Containment::Apart;
      bool mayDropFirst = ofFirst == Containment::Inside && isOfScopes(a.run);
      bool mayDropSecond = ofSecond == Containment::Inside && isOfScopes(b.run);
      if (!mayDropFirst && !mayDropSecond && isAnyApart)
        continue;
      if (!mayDropFirst && !mayDropSecond)
        return inputError(a.where,
                          "has scopes that " + b.where +
                              " has too, and others: they would count twice",
                          "Both are copies of one session: merge only one of "
                          "them.");
      // Kept events decide between equal ones, and then the lesser hash, which
      // is that of `a`.
      bool dropsFirst = mayDropFirst && (!mayDropSecond ||
                                         a.run.kept.size() < b.run.kept.size());
      dropped.insert(dropsFirst ? a.run.hash : b.run.hash);
    }
  return llvm::Error::success();
}

llvm::Error ProfileMerger::Impl::dropCopies() {
  std::map<SessionKey, std::vector<MergedRun *>> sessions;
  for (auto &[hash, merged] : runs)
    if (merged.run.scopes)
      if (std::optional<SessionKey> key = getSession(*merged.run.scopes))
        sessions[*key].push_back(&merged);
  std::set<std::string> dropped;
  for (const auto &[key, ofSession] : sessions)
    if (llvm::Error error = dropCopies(ofSession, dropped))
      return error;
  if (dropped.empty())
    return llvm::Error::success();
  for (const std::string &hash : dropped)
    runs.erase(hash);
  // Without the names of those alone.
  RunTables used;
  for (auto &[hash, merged] : runs)
    used.addUsed(tables.getStrings(), tables.getOpKeys(), merged.run);
  tables = std::move(used);
  return llvm::Error::success();
}

ProfileMerger::ProfileMerger(MachineRule rule)
    : impl(std::make_unique<Impl>(rule)) {}
ProfileMerger::~ProfileMerger() = default;

llvm::Error ProfileMerger::add(Profile profile, llvm::StringRef where) {
  if (llvm::Error error = checkMergeable(profile, where))
    return error;
  bool hasModule = hasStoredModule(profile);
  for (HloModule &module : profile.hloModules)
    if (llvm::Error error = impl->add(std::move(module), where))
      return error;
  for (IrModule &module : profile.irModules)
    if (llvm::Error error = impl->add(std::move(module), where))
      return error;
  for (Program &program : profile.programs)
    if (llvm::Error error = impl->add(std::move(program), where))
      return error;
  Renumbering numbers = impl->tables.add(profile);
  for (Run &run : profile.runs) {
    numbers.apply(run);
    bool isOfModule = hasModule && isOfStoredModule(run);
    impl->add(std::move(run), isOfModule, where);
  }
  return llvm::Error::success();
}

llvm::Expected<Profile> ProfileMerger::finish() {
  if (llvm::Error error = impl->checkMachines())
    return std::move(error);
  if (llvm::Error error = impl->dropCopies())
    return std::move(error);
  if (llvm::Error error = impl->checkOverlaps())
    return std::move(error);
  Profile merged;
  for (auto &entry : impl->hloModules)
    merged.hloModules.push_back(std::move(entry.second));
  for (auto &entry : impl->irModules)
    merged.irModules.push_back(std::move(entry.second));
  for (auto &entry : impl->programs)
    merged.programs.push_back(std::move(entry.second));
  impl->markRuns(merged);
  Renumbering numbers = impl->tables.store(merged);
  for (auto &entry : impl->runs) {
    numbers.apply(entry.second.run);
    merged.runs.push_back(std::move(entry.second.run));
  }
  return std::move(merged);
}

llvm::Expected<Profile>
profile::mergeProfiles(llvm::ArrayRef<const Profile *> profiles,
                       MachineRule rule) {
  ProfileMerger merger(rule);
  for (const Profile *profile : profiles)
    if (llvm::Error error = merger.add(*profile, "profile"))
      return std::move(error);
  return merger.finish();
}
