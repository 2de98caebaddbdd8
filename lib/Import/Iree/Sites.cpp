//===- Sites.cpp - Places of IREE's dispatches in the model ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SiteOrigins.h"
#include "mlir-prof/Import/Iree.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <optional>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::iree;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

/// The measured dispatches of a command buffer.
struct Buffer {
  /// (place, index of the op key), ascending.
  std::vector<std::pair<uint32_t, uint32_t>> dispatches;

  /// The commands that it ran, as text: equal for buffers that cannot be
  /// distinguished.
  std::string describe(const Profile &profile) const {
    std::string text;
    for (auto [place, key] : dispatches)
      text += std::to_string(place) + ' ' +
              std::to_string(profile.opKeys[key].get<DispatchKey>().command) +
              ' ' + profile.opKeys[key].op + '\n';
    return text;
  }
};

/// Joins command buffers with the executes of a dump.
class SiteFinder {
public:
  SiteFinder(Profile &profile, const StreamDump &dump)
      : profile(profile), dump(dump), origins(dump) {}
  /// Returns the number of dispatches that were placed in turn.
  uint64_t run();

private:
  bool agrees(const Buffer &buffer, const std::vector<DumpSite> &sites) const;
  bool hasSameCommands(const Buffer &buffer,
                       const std::vector<DumpSite> &sites) const;
  bool isInOrder(const std::map<uint64_t, Buffer> &buffers) const;
  void setOrigins(const Buffer &buffer, uint32_t execute);
  std::vector<uint32_t> findExecutes(const Buffer &buffer) const;
  uint64_t placeInTurn(llvm::ArrayRef<const Buffer *> alike);
  uint64_t placeInBuffers();
  void placeOutside();

  Profile &profile;
  const StreamDump &dump;
  SiteOrigins origins;
};

} // namespace

//===----------------------------------------------------------------------===//
// Assigning executes to command buffers
//===----------------------------------------------------------------------===//

bool SiteFinder::agrees(const Buffer &buffer,
                        const std::vector<DumpSite> &sites) const {
  return llvm::all_of(buffer.dispatches, [&](auto dispatch) {
    return dispatch.first < sites.size() &&
           sites[dispatch.first].runs(profile.opKeys[dispatch.second].op);
  });
}

/// Whether `sites` contains only the dispatches of `buffer`, with as many other
/// commands between them, as far as that is known.
bool SiteFinder::hasSameCommands(const Buffer &buffer,
                                 const std::vector<DumpSite> &sites) const {
  return sites.size() == buffer.dispatches.back().first + 1 &&
         llvm::all_of(buffer.dispatches, [&](auto dispatch) {
           const OpKey &key = profile.opKeys[dispatch.second];
           int64_t command = key.get<DispatchKey>().command;
           return command < 0 ||
                  command == int64_t(sites[dispatch.first].command);
         });
}

/// The executes that dispatch the functions that `buffer` ran, each at its
/// place; restricted to those with the same commands, if there are any.
std::vector<uint32_t> SiteFinder::findExecutes(const Buffer &buffer) const {
  std::vector<uint32_t> found, exact;
  for (auto [number, sites] : llvm::enumerate(dump.executes)) {
    if (!agrees(buffer, sites))
      continue;
    found.push_back(uint32_t(number));
    if (hasSameCommands(buffer, sites))
      exact.push_back(uint32_t(number));
  }
  return exact.empty() ? found : exact;
}

/// Whether each buffer can be the execute of its number: buffers that are
/// created with the module can, whether they run or not.
bool SiteFinder::isInOrder(const std::map<uint64_t, Buffer> &buffers) const {
  return llvm::all_of(buffers, [&](const auto &entry) {
    const auto &[number, buffer] = entry;
    return number != 0 && number <= dump.executes.size() &&
           llvm::is_contained(findExecutes(buffer), uint32_t(number - 1));
  });
}

void SiteFinder::setOrigins(const Buffer &buffer, uint32_t execute) {
  for (auto [position, key] : buffer.dispatches)
    origins.set(profile.opKeys[key], execute, position);
}

/// Command buffers are numbered in order of creation: several with the same
/// commands are the executes with these commands, in turn, if their numbers
/// agree.
uint64_t SiteFinder::placeInTurn(llvm::ArrayRef<const Buffer *> alike) {
  std::vector<uint32_t> executes = findExecutes(*alike.front());
  if (executes.empty() || alike.size() % executes.size() != 0)
    return 0;
  uint64_t count = 0;
  for (auto [number, buffer] : llvm::enumerate(alike)) {
    setOrigins(*buffer, executes[number % executes.size()]);
    count += buffer->dispatches.size();
  }
  return executes.size() == 1 ? 0 : count;
}

using Place = std::pair<uint32_t, uint32_t>;

/// For each function, the execute and position that may have run it; none if
/// several may.
static llvm::StringMap<std::optional<Place>>
findOnlyPlaces(const StreamDump &dump) {
  llvm::StringMap<std::optional<Place>> places;
  for (auto [execute, sites] : llvm::enumerate(dump.executes))
    for (auto [position, site] : llvm::enumerate(sites)) {
      Place place = {uint32_t(execute), uint32_t(position)};
      for (StringRef entry : site.entries) {
        auto [it, isNew] =
            places.try_emplace(DumpSite::getFunction(entry), place);
        if (!isNew && it->second != place)
          it->second = std::nullopt;
      }
    }
  return places;
}

/// A dispatch outside of command buffers does not have a place among others, so
/// only a function that a single place dispatches identifies that place.
void SiteFinder::placeOutside() {
  llvm::StringMap<std::optional<Place>> places = findOnlyPlaces(dump);
  for (OpKey &key : profile.opKeys) {
    const auto *dispatch = key.getIf<DispatchKey>();
    if (!dispatch || dispatch->commandBuffer ||
        dispatch->origins.kind != OriginKind::Unknown)
      continue;
    if (std::optional<Place> place = places.lookup(key.op))
      origins.set(key, place->first, place->second);
  }
}

uint64_t SiteFinder::placeInBuffers() {
  std::map<uint64_t, Buffer> buffers;
  for (auto [number, key] : llvm::enumerate(profile.opKeys))
    if (const auto *dispatch = key.getIf<DispatchKey>();
        dispatch && dispatch->commandBuffer &&
        dispatch->origins.kind == OriginKind::Unknown)
      buffers[*dispatch->commandBuffer].dispatches.emplace_back(
          dispatch->ordinal, uint32_t(number));
  for (auto &[number, buffer] : buffers)
    llvm::sort(buffer.dispatches);
  if (isInOrder(buffers)) {
    for (const auto &[number, buffer] : buffers)
      setOrigins(buffer, uint32_t(number - 1));
    return 0;
  }
  std::map<std::string, std::vector<const Buffer *>> alike;
  for (const auto &[number, buffer] : buffers)
    alike[buffer.describe(profile)].push_back(&buffer);
  uint64_t inTurn = 0;
  for (const auto &[text, group] : alike)
    inTurn += placeInTurn(group);
  return inTurn;
}

uint64_t SiteFinder::run() {
  placeOutside();
  return placeInBuffers();
}

//===----------------------------------------------------------------------===//
// The main functions
//===----------------------------------------------------------------------===//

static DispatchCounts countPlaced(const Profile &profile) {
  DispatchCounts counts;
  std::vector<char> isMissing(profile.opKeys.size());
  for (auto [number, key] : llvm::enumerate(profile.opKeys)) {
    const auto *dispatch = key.getIf<DispatchKey>();
    if (!dispatch)
      continue;
    ++counts.measured;
    isMissing[number] = dispatch->origins.kind == OriginKind::Unknown;
    counts.found += !isMissing[number];
  }
  for (const Run &run : profile.runs)
    for (const OpSummary &summary : run.ops)
      if (isMissing[summary.op])
        counts.missingPs = saturatingAdd(counts.missingPs, summary.getTimePs());
  return counts;
}

llvm::Expected<DispatchCounts> importer::addDispatchSites(Profile &profile,
                                                          StringRef path) {
  auto buffer = openPlainInput(path);
  if (!buffer)
    return buffer.takeError();
  auto dump =
      unlessChanged(**buffer, readStreamDump((*buffer)->getBuffer(), path));
  if (!dump)
    return dump.takeError();
  uint64_t inTurn = SiteFinder(profile, *dump).run();
  DispatchCounts counts = countPlaced(profile);
  counts.inTurn = inTurn;
  if (counts.measured == 0)
    return inputError(path, "cannot be used: no dispatch of IREE was measured",
                      "Modules of the stream phase belong to profiles of "
                      "IREE.");
  if (counts.found == 0)
    return inputError(path,
                      "dispatches other functions than were measured, or in "
                      "another order",
                      "Give the dump of the compilation of the module that "
                      "ran, with the same options and input.");
  return counts;
}
