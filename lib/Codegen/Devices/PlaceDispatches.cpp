//===- PlaceDispatches.cpp - Choosing the devices of dispatches -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Dialect/Prof/LocationParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"

#include <set>

namespace mlirprof::codegen {
#define GEN_PASS_DEF_PLACEDISPATCHESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

namespace {
struct Place {
  StringRef text;
  llvm::GlobPattern pattern;
  StringRef device;
  bool isUsed = false;
};

struct PlaceDispatchesPass
    : mlirprof::codegen::impl::PlaceDispatchesPassBase<PlaceDispatchesPass> {
  using PlaceDispatchesPassBase::PlaceDispatchesPassBase;

  void runOnOperation() override;

private:
  FailureOr<SmallVector<Place>> readPlaces();
};
} // namespace

/// Adds the names and lines of `location`.
static void addNames(Location location, llvm::StringSet<> &names) {
  llvm::DenseSet<Attribute> visited;
  prof::visitPartsFirst(
      location, [&](Location part) { return visited.contains(part); },
      [&](Location part) {
        visited.insert(part);
        if (auto name = dyn_cast<NameLoc>(part))
          names.insert(name.getName());
        if (auto line = dyn_cast<FileLineColRange>(part))
          names.insert((llvm::sys::path::filename(line.getFilename()) + ":" +
                        Twine(line.getStartLine()))
                           .str());
      });
}

/// The texts of a dispatch that patterns may match.
static llvm::StringSet<> getNames(RunOp run) {
  llvm::StringSet<> names;
  names.insert(run.getKernel());
  addNames(run.getLoc(), names);
  if (func::FuncOp kernel = run.lookUpKernel())
    kernel.walk([&](Operation *op) { addNames(op->getLoc(), names); });
  return names;
}

FailureOr<SmallVector<Place>> PlaceDispatchesPass::readPlaces() {
  SmallVector<Place> read;
  for (StringRef text : places) {
    auto [pattern, device] = text.rsplit('=');
    auto glob = llvm::GlobPattern::create(pattern);
    if (!glob) {
      getOperation().emitError()
          << "'" << pattern
          << "' is not a pattern: " << llvm::toString(glob.takeError());
      return failure();
    }
    if (pattern.empty() || device.empty()) {
      getOperation().emitError()
          << "'" << text << "' is not a pattern and a device: matmul*=npu";
      return failure();
    }
    read.push_back({pattern, std::move(*glob), device});
  }
  return std::move(read);
}

void PlaceDispatchesPass::runOnOperation() {
  FailureOr<SmallVector<Place>> read = readPlaces();
  if (failed(read))
    return signalPassFailure();
  std::set<std::string> kernels;
  getOperation().walk([&](RunOp run) {
    kernels.insert(run.getKernel().str());
    llvm::StringSet<> names = getNames(run);
    bool isPlaced = false;
    for (Place &place : *read) {
      bool isMatch = llvm::any_of(names.keys(), [&](StringRef name) {
        return place.pattern.match(name);
      });
      place.isUsed |= isMatch;
      if (!isMatch || isPlaced)
        continue;
      isPlaced = true;
      if (place.device == DispatchDialect::getHostName())
        run.removeDeviceAttr();
      else
        run.setDevice(place.device);
    }
  });
  for (const Place &place : *read)
    if (!place.isUsed) {
      getOperation().emitError()
          << "'" << place.text << "' does not match any dispatch, of kernels "
          << llvm::join(kernels, ", ");
      return signalPassFailure();
    }
}
