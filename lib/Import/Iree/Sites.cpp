//===- Sites.cpp - Where IREE's dispatches stand in the model -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamDump.h"
#include "mlir-prof/Import/Iree.h"
#include "mlir-prof/Profile/Dispatch.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::iree;
using llvm::StringRef;

namespace {

/// The measured dispatches of a command buffer.
struct Buffer {
  /// (place, index of the op key), ascending.
  std::vector<std::pair<uint32_t, uint32_t>> dispatches;

  /// What it ran, as text: equal for buffers that cannot be told apart.
  std::string describe(const Profile &profile) const {
    std::string text;
    for (auto [place, key] : dispatches)
      text += std::to_string(place) + ' ' +
              std::to_string(profile.opKeys[key].call.sequence) + ' ' +
              profile.opKeys[key].op + '\n';
    return text;
  }
};

/// Joins command buffers with the executes of a dump.
class SiteFinder {
public:
  SiteFinder(Profile &profile, StreamDump &dump)
      : profile(profile), dump(dump) {}
  /// Returns how many dispatches were placed in turn.
  uint64_t run();

private:
  void indexSites();
  bool agrees(const Buffer &buffer, const std::vector<DumpSite> &sites) const;
  bool hasSameCommands(const Buffer &buffer,
                       const std::vector<DumpSite> &sites) const;
  bool isInOrder(const std::map<uint64_t, Buffer> &buffers) const;
  void setOrigins(const Buffer &buffer, uint32_t execute);
  std::vector<uint32_t> findExecutes(const Buffer &buffer) const;
  uint64_t placeInTurn(llvm::ArrayRef<const Buffer *> alike);
  uint64_t placeInBuffers();
  void placeOutside();
  void setOrigins(OpKey &key, uint32_t execute, uint32_t position);
  void addOrigins(OpKey &key, uint32_t location, StringRef op,
                  std::pair<uint32_t, uint32_t> rank);
  const DumpBody *findBody(const DumpSite &site, StringRef name) const;
  bool isOwnBody(const DumpSite &site, const DumpBody &body) const;
  std::string getLookalike(const DumpSite &site) const;

  Profile &profile;
  StreamDump &dump;
  /// Sites by what can be told of them, in order of the text.
  std::map<std::string, uint32_t> alikeCount;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> ordinalOf;
  /// How many sites have an entry.
  llvm::StringMap<uint32_t> uses;
};

} // namespace

//===----------------------------------------------------------------------===//
// What a site says
//===----------------------------------------------------------------------===//

const DumpBody *SiteFinder::findBody(const DumpSite &site,
                                     StringRef name) const {
  for (const std::string &entry : site.entries)
    if (name.empty() || StringRef(entry).rsplit("::").second == name)
      if (auto it = dump.bodies.find(entry); it != dump.bodies.end())
        return &it->second;
  return nullptr;
}

/// Sites that have one name and one kind of work are told apart by order.
std::string SiteFinder::getLookalike(const DumpSite &site) const {
  std::string text;
  for (const std::string &name : dump.locations.getNames(site.location))
    text += name + '\n';
  const DumpBody *body = findBody(site, "");
  if (const DumpOp *root = body ? body->getRoot() : nullptr)
    text += root->op;
  return text;
}

void SiteFinder::indexSites() {
  for (auto [execute, sites] : llvm::enumerate(dump.executes))
    for (auto [position, site] : llvm::enumerate(sites)) {
      ordinalOf[{uint32_t(execute), uint32_t(position)}] =
          alikeCount[getLookalike(site)]++;
      for (const std::string &entry : site.entries)
        ++uses[entry];
    }
}

/// Whether the ops in `body` are those of this place, and not of another one
/// that is alike. What was inlined at several places is one op of the model.
bool SiteFinder::isOwnBody(const DumpSite &site, const DumpBody &body) const {
  if (llvm::all_of(site.entries, [&](const std::string &entry) {
        return uses.lookup(entry) == 1;
      }))
    return true;
  auto isHere = [&](uint32_t location) {
    auto names = dump.locations.getNames(location);
    return !names.empty() && names == dump.locations.getNames(site.location);
  };
  return isHere(body.location) || llvm::any_of(body.ops, [&](const DumpOp &op) {
           return isHere(op.location);
         });
}

void SiteFinder::addOrigins(OpKey &key, uint32_t location, StringRef op,
                            std::pair<uint32_t, uint32_t> rank) {
  for (const std::string &name : dump.locations.getNames(location)) {
    bool isKnown = llvm::any_of(key.origins, [&](const OriginNode &other) {
      return other.name == name && other.type == op;
    });
    if (!isKnown)
      key.origins.push_back({name, op.str(), rank.first, rank.second});
  }
}

void SiteFinder::setOrigins(OpKey &key, uint32_t execute, uint32_t position) {
  const DumpSite &site = dump.executes[execute][position];
  const DumpBody *body = findBody(site, key.op);
  const DumpOp *root = body ? body->getRoot() : nullptr;
  bool isOwn = body && isOwnBody(site, *body);
  key.call.graphNode = std::to_string(execute) + "/" + std::to_string(position);
  key.originKind = isOwn ? OriginKind::Whole : OriginKind::SameName;
  std::pair<uint32_t, uint32_t> rank = {ordinalOf[{execute, position}],
                                        alikeCount[getLookalike(site)]};
  addOrigins(key, site.location, root ? StringRef(root->op) : "", rank);
  if (isOwn)
    for (const DumpOp &op : body->ops)
      addOrigins(key, op.location, op.op, rank);
}

//===----------------------------------------------------------------------===//
// Which execute a command buffer is
//===----------------------------------------------------------------------===//

bool SiteFinder::agrees(const Buffer &buffer,
                        const std::vector<DumpSite> &sites) const {
  return llvm::all_of(buffer.dispatches, [&](auto dispatch) {
    return dispatch.first < sites.size() &&
           sites[dispatch.first].runs(profile.opKeys[dispatch.second].op);
  });
}

/// Whether nothing but the dispatches of `buffer` is in `sites`, and as many
/// other commands between them.
bool SiteFinder::hasSameCommands(const Buffer &buffer,
                                 const std::vector<DumpSite> &sites) const {
  return sites.size() == buffer.dispatches.back().first + 1 &&
         llvm::all_of(buffer.dispatches, [&](auto dispatch) {
           return profile.opKeys[dispatch.second].call.sequence ==
                  int64_t(sites[dispatch.first].command);
         });
}

/// The executes that dispatch the functions that `buffer` ran, each at its
/// place; only those with the same commands, if there are any.
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

/// Whether each buffer can be the execute of its number: those that are made
/// with the module are, whether they run or not.
bool SiteFinder::isInOrder(const std::map<uint64_t, Buffer> &buffers) const {
  return llvm::all_of(buffers, [&](const auto &entry) {
    const auto &[number, buffer] = entry;
    return number != 0 && number <= dump.executes.size() &&
           llvm::is_contained(findExecutes(buffer), uint32_t(number - 1));
  });
}

void SiteFinder::setOrigins(const Buffer &buffer, uint32_t execute) {
  for (auto [position, key] : buffer.dispatches)
    setOrigins(profile.opKeys[key], execute, position);
}

/// Command buffers are numbered as they are made: several that ran the same are
/// the executes that do so, in turn, when their numbers agree.
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

/// What is in no command buffer has no place among others, so only a function
/// that one place alone dispatches says which one it is.
void SiteFinder::placeOutside() {
  for (OpKey &key : profile.opKeys) {
    if (!isDispatch(key) || getCommandBuffer(key) ||
        key.originKind != OriginKind::Unknown)
      continue;
    std::vector<std::pair<uint32_t, uint32_t>> places;
    for (auto [execute, sites] : llvm::enumerate(dump.executes))
      for (auto [position, site] : llvm::enumerate(sites))
        if (site.runs(key.op))
          places.emplace_back(uint32_t(execute), uint32_t(position));
    if (places.size() == 1)
      setOrigins(key, places.front().first, places.front().second);
  }
}

uint64_t SiteFinder::placeInBuffers() {
  std::map<uint64_t, Buffer> buffers;
  for (auto [number, key] : llvm::enumerate(profile.opKeys))
    if (auto buffer = getCommandBuffer(key);
        buffer && key.originKind == OriginKind::Unknown)
      buffers[*buffer].dispatches.emplace_back(key.call.ordinal,
                                               uint32_t(number));
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
  indexSites();
  placeOutside();
  return placeInBuffers();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static DispatchCounts countPlaced(const Profile &profile) {
  DispatchCounts counts;
  std::vector<char> isMissing(profile.opKeys.size());
  for (auto [number, key] : llvm::enumerate(profile.opKeys)) {
    if (!isDispatch(key))
      continue;
    ++counts.measured;
    isMissing[number] = key.originKind == OriginKind::Unknown;
    counts.found += !isMissing[number];
  }
  for (const Run &run : profile.runs)
    for (const OpSummary &summary : run.ops)
      if (isMissing[summary.op])
        counts.missingPs = saturatingAdd(counts.missingPs, summary.getTimePs());
  return counts;
}

llvm::Expected<DispatchCounts> mlirprof::addDispatchSites(Profile &profile,
                                                          StringRef path) {
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  if (isGzip((*buffer)->getBuffer())) {
    auto plain = gunzip((*buffer)->getBuffer(), path);
    if (!plain)
      return plain.takeError();
    *buffer = std::move(*plain);
  }
  auto dump = readStreamDump((*buffer)->getBuffer(), path);
  if (!dump)
    return dump.takeError();
  uint64_t inTurn = SiteFinder(profile, *dump).run();
  DispatchCounts counts = countPlaced(profile);
  counts.inTurn = inTurn;
  if (counts.measured == 0)
    return inputError(path, "is of no use: no dispatch of IREE was measured",
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
