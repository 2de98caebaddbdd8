//===- ModuleText.cpp - A module as lines ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleText.h"
#include "mlir-prof/Trace/Event.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::serve;

static void splitLines(llvm::StringRef text, ModuleText &module) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    module.lines.push_back(line.str());
    text = rest;
  }
}

/// Prints the module, and sets the lines of its ops in pre-order.
static void printModule(mlir::Operation *root, ModuleText &module) {
  mlir::OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(16);
  flags.elideLargeResourceString(64);
  flags.assumeVerified();
  mlir::AsmState::LocationMap places;
  std::string text;
  llvm::raw_string_ostream os(text);
  mlir::AsmState state(root, flags, &places);
  root->print(os, state);
  splitLines(text, module);

  llvm::DenseMap<mlir::Operation *, uint32_t> numbers;
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    auto found = places.find(op);
    uint32_t line = trace::kNone;
    if (found != places.end() && found->second.first > 0)
      line = found->second.first - 1;
    numbers[op] = uint32_t(module.firstLine.size());
    module.firstLine.push_back(line);
    module.lastLine.push_back(line);
  });
  // An op ends after the ops in it, on the line that closes its region.
  root->walk<mlir::WalkOrder::PostOrder>([&](mlir::Operation *op) {
    mlir::Operation *parent = op->getParentOp();
    uint32_t last = module.lastLine[numbers[op]];
    if (!parent || op == root || last == trace::kNone)
      return;
    uint32_t &end = module.lastLine[numbers[parent]];
    bool isInside = last > module.firstLine[numbers[parent]];
    if (end != trace::kNone && isInside && last + 1 > end)
      end = last + 1;
  });
}

/// A level without a module: an op of the profile's programs on each line.
static void listOps(const Ownership &ownership, ModuleText &module) {
  for (const auto &[i, op] : llvm::enumerate(ownership.ops)) {
    module.firstLine.push_back(uint32_t(i));
    module.lastLine.push_back(uint32_t(i));
    module.lines.push_back(op.path.empty() ? op.op : op.path + "  " + op.op);
  }
}

std::shared_ptr<const ModuleText> serve::getModuleText(OpenProfile &profile) {
  return profile.getOrMake<ModuleText>("text", [&] {
    auto module = std::make_shared<ModuleText>();
    const Session &session = profile.get();
    if (session.module)
      printModule(session.module.get(), *module);
    else if (session.ownership)
      listOps(*session.ownership, *module);
    return std::shared_ptr<const ModuleText>(module);
  });
}
