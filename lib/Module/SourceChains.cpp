//===- SourceChains.cpp - Call chains of ops ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Module/SourceChains.h"
#include "mlir-prof/Module/LocationTable.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::profile;

namespace {

constexpr size_t kMaxFrames = 256;

/// One frame of a chain; strings belong to the MLIR context.
struct ChainFrame {
  Frame position;
  StringRef function;
};

class ChainReader {
public:
  explicit ChainReader(SourceChains &chains) : chains(chains) {}
  uint32_t add(LocationAttr location);

private:
  void flatten(LocationAttr location);
  uint32_t intern(const ChainFrame &frame, uint32_t parent);

  SourceChains &chains;
  LocationTable table;
  llvm::DenseMap<Attribute, uint32_t> known;
  using Key = std::tuple<const char *, const char *, uint32_t, uint32_t>;
  llvm::DenseMap<std::pair<uint32_t, Key>, uint32_t> ids;
  /// The current chain, innermost first.
  SmallVector<ChainFrame> frames;
};

} // namespace

/// The part of a fused location with a position.
static LocationAttr choosePart(LocationTable &table, FusedLoc fused) {
  for (Location part : fused.getLocations())
    if (table.get(table.add(part)).frame)
      return part;
  return {};
}

void ChainReader::flatten(LocationAttr whole) {
  struct Item {
    LocationAttr location;
    /// The name around it, if that may be a function's and not the op's: within
    /// a call or another name.
    StringRef name;
    bool isInner;
  };
  frames.clear();
  SmallVector<Item> stack = {{whole, {}, false}};
  while (!stack.empty() && frames.size() < kMaxFrames) {
    Item item = stack.pop_back_val();
    if (auto file = dyn_cast<FileLineColRange>(item.location)) {
      frames.push_back({{file.getFilename().getValue(), file.getStartLine(),
                         file.getStartColumn()},
                        item.name});
    } else if (auto name = dyn_cast<NameLoc>(item.location)) {
      stack.push_back({name.getChildLoc(),
                       item.isInner ? name.getName().getValue() : StringRef(),
                       true});
    } else if (auto call = dyn_cast<CallSiteLoc>(item.location)) {
      stack.push_back({call.getCaller(), {}, true});
      stack.push_back({call.getCallee(), {}, true});
    } else if (auto fused = dyn_cast<FusedLoc>(item.location)) {
      if (LocationAttr part = choosePart(table, fused))
        stack.push_back({part, item.name, item.isInner});
    }
  }
}

uint32_t ChainReader::intern(const ChainFrame &frame, uint32_t parent) {
  Key key(frame.position.file.data(), frame.function.data(),
          frame.position.line, frame.position.column);
  auto [entry, inserted] = ids.try_emplace(std::make_pair(parent, key),
                                           uint32_t(chains.frames.size() + 1));
  if (inserted) {
    SourceFrame &added = chains.frames.emplace_back();
    added.file = frame.position.file.str();
    added.function = frame.function.str();
    added.line = frame.position.line;
    added.column = frame.position.column;
    added.parent = parent;
  }
  return entry->second;
}

uint32_t ChainReader::add(LocationAttr location) {
  auto found = known.find(location);
  if (found != known.end())
    return found->second;
  flatten(location);
  // TensorFlow writes the caller where the callee belongs.
  if (table.get(table.add(location)).hasTensorFlowFrame)
    std::reverse(frames.begin(), frames.end());
  uint32_t frame = 0;
  for (const ChainFrame &caller : llvm::reverse(frames))
    frame = intern(caller, frame);
  known.try_emplace(location, frame);
  return frame;
}

SourceChains module::collectSourceChains(Operation *root) {
  SourceChains chains;
  ChainReader reader(chains);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    chains.frameOfOp.push_back(reader.add(op->getLoc()));
  });
  return chains;
}
