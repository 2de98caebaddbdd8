//===- StreamModule.cpp - IREE's own module of a model --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamModule.h"
#include "mlir-prof/Cost/StaticCost.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

static StringRef getSymbol(mlir::Operation *op) {
  auto name = op->getAttrOfType<mlir::StringAttr>("sym_name");
  return name ? name.getValue() : StringRef();
}

StreamModule::StreamModule(const ModuleIndex &index) : index(index) {
  uint32_t execute = 0, dispatch = 0, executeEnd = 0;
  StringRef executable;
  for (uint32_t op = 1; op < index.size(); ++op) {
    StringRef name = index.getOpName(op);
    if (name == "stream.executable") {
      executable = getSymbol(index[op].op);
    } else if (name == "func.func" && !executable.empty()) {
      bodies.try_emplace((executable + "::" + getSymbol(index[op].op)).str(),
                         op);
    } else if (name == "stream.cmd.execute") {
      execute += executeEnd != 0;
      executeEnd = index[op].end;
      dispatch = 0;
    } else if (name == "stream.cmd.dispatch" && op < executeEnd) {
      sites.try_emplace(
          std::to_string(execute) + "/" + std::to_string(dispatch++), op);
    }
  }
}

/// "EXECUTABLE::FUNCTION" of the entry of `site` with the name `name`.
static std::string findEntry(mlir::Operation *site, StringRef name) {
  if (auto entries = site->getAttrOfType<mlir::ArrayAttr>("entry_points"))
    for (mlir::Attribute entry : entries)
      if (auto symbol = llvm::dyn_cast<mlir::SymbolRefAttr>(entry);
          symbol && symbol.getLeafReference() == name)
        return (symbol.getRootReference().getValue() + "::" + name).str();
  return "";
}

/// Excludes the arithmetic of offsets, and all of IREE's own dialects.
static bool doesWork(mlir::Operation *op) {
  mlir::Dialect *dialect = op->getDialect();
  return dialect && dialect->getNamespace() != "arith" &&
         dialect->getNamespace() != "affine";
}

Match StreamModule::match(const OpKey &key) const {
  Match match;
  auto site = sites.find(key.get<DispatchKey>().place);
  if (site == sites.end()) {
    match.reason = "this module of the stream phase does not have that place";
    return match;
  }
  match.tier = MatchTier::ExecutionOrder;
  match.matchClass = MatchClass::Unique;
  match.names = {key.op};
  auto body = bodies.find(findEntry(index[site->second].op, key.op));
  if (body != bodies.end())
    for (uint32_t op = body->second + 1; op < index[body->second].end;
         op = index[op].end) {
      uint64_t cost = getStaticCost(index[op].op);
      if (cost == 0 || !doesWork(index[op].op))
        continue;
      match.ops.push_back(op);
      match.weights.push_back(cost);
    }
  if (!match.ops.empty())
    match.matchClass = MatchClass::Fused;
  // Executables may precede or follow the code that runs them.
  auto place = llvm::lower_bound(match.ops, site->second) - match.ops.begin();
  match.ops.insert(match.ops.begin() + place, site->second);
  match.weights.insert(match.weights.begin() + place, match.ops.size() == 1);
  return match;
}
