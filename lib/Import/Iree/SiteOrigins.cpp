//===- SiteOrigins.cpp - Origins of IREE's dispatches ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SiteOrigins.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::iree;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

const DumpBody *SiteOrigins::findBody(const DumpSite &site,
                                      StringRef name) const {
  for (const std::string &entry : site.entries)
    if (name.empty() || DumpSite::getFunction(entry) == name)
      if (auto it = dump.bodies.find(entry); it != dump.bodies.end())
        return &it->second;
  return nullptr;
}

/// Sites with the same name and kind of work are distinguished by order.
std::string SiteOrigins::getLookalike(const DumpSite &site) const {
  std::string text;
  for (const std::string &name : dump.locations.getNames(site.location))
    text += name + '\n';
  const DumpBody *body = findBody(site, "");
  if (const DumpOp *root = body ? body->getRoot() : nullptr)
    text += root->op;
  return text;
}

SiteOrigins::SiteOrigins(const StreamDump &dump) : dump(dump) {
  llvm::StringMap<uint32_t> groups;
  for (const std::vector<DumpSite> &sites : dump.executes) {
    std::vector<Rank> &ranksOfSites = ranks.emplace_back();
    for (const DumpSite &site : sites) {
      auto [group, isNew] =
          groups.try_emplace(getLookalike(site), uint32_t(groupSizes.size()));
      if (isNew)
        groupSizes.push_back(0);
      ranksOfSites.push_back({group->second, groupSizes[group->second]++});
      for (const std::string &entry : site.entries)
        ++uses[entry];
    }
  }
}

/// Whether the ops in `body` belong to this place, and not to another one that
/// is alike. Code that was inlined at several places is one op of the model.
bool SiteOrigins::isOwnBody(const DumpSite &site, const DumpBody &body) const {
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

void SiteOrigins::addOrigins(std::vector<OriginNode> &nodes, uint32_t location,
                             StringRef op, Rank rank) const {
  for (const std::string &name : dump.locations.getNames(location)) {
    bool isKnown = llvm::any_of(nodes, [&](const OriginNode &other) {
      return other.name == name && other.type == op;
    });
    if (!isKnown)
      nodes.push_back({name, op.str(), rank.ordinal, groupSizes[rank.group]});
  }
}

void SiteOrigins::set(OpKey &key, uint32_t execute, uint32_t position) const {
  const DumpSite &site = dump.executes[execute][position];
  const DumpBody *body = findBody(site, key.op);
  const DumpOp *root = body ? body->getRoot() : nullptr;
  bool isOwn = body && isOwnBody(site, *body);
  auto &dispatch = key.get<DispatchKey>();
  dispatch.place = std::to_string(execute) + "/" + std::to_string(position);
  dispatch.origins.kind = isOwn ? OriginKind::Whole : OriginKind::SameName;
  Rank rank = ranks[execute][position];
  addOrigins(dispatch.origins.nodes, site.location,
             root ? StringRef(root->op) : "", rank);
  if (isOwn)
    for (const DumpOp &op : body->ops)
      addOrigins(dispatch.origins.nodes, op.location, op.op, rank);
}
