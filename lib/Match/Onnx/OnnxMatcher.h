//===- OnnxMatcher.h - Nodes of ONNX graphs to ops --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_ONNX_ONNXMATCHER_H
#define MLIR_PROF_LIB_MATCH_ONNX_ONNXMATCHER_H

#include "../KeyMatcher.h"
#include "../MatchBuilder.h"
#include "../NumberAlignment.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>

namespace mlirprof::match {

/// Matches nodes that ONNX Runtime ran. Importers of ONNX name ops after their
/// nodes, so the origins of a node (OnnxNodeKey::origins) name its ops; while
/// these are unknown, its own name does.
class OnnxMatcher : public KeyMatcher {
public:
  OnnxMatcher(const module::ModuleIndex &index,
              const profile::Profile &profile);

  attribution::Match match(uint32_t key) override;

private:
  using Ops = llvm::SmallVector<uint32_t>;
  /// The ops of a recorded name, which may now have other numbers.
  struct Found {
    Ops ops;
    bool isRenumbered = false, isContested = false;
  };

  void indexTypes();
  void indexUnnamed();
  void chooseModel();
  void compareNumbers();
  bool usesOrigins(const profile::OpKey &key) const;
  Found find(const profile::OriginNode &node,
             llvm::ArrayRef<std::string> callers) const;
  Ops findNamed(llvm::StringRef name,
                llvm::ArrayRef<std::string> callers) const;
  Found findRecorded(llvm::StringRef name,
                     llvm::ArrayRef<std::string> callers) const;
  Ops findUnnamed(const profile::OpKey &key) const;
  bool isUnnamed(uint32_t op) const;
  bool isWithin(uint32_t op, llvm::ArrayRef<std::string> callers) const;
  bool isIn(uint32_t op, llvm::ArrayRef<std::string> callers) const;
  bool hasName(uint32_t op, llvm::StringRef name) const;
  attribution::Match build(const profile::OpKey &key) const;

  void findAbsorbed();
  bool isUnmeasured(uint32_t op) const;
  void warn(const profile::OpKey &key, attribution::Match &match) const;
  void setWeights(attribution::Match &match) const;

  const module::ModuleIndex &index;
  const profile::Profile &profile;
  /// Whether the module is the optimized model: then nodes are ops by name.
  bool isOptimized = false;
  NumberAlignment numbers;
  /// Ops by the type of their node ("Conv"), and by attributes that name it.
  llvm::StringMap<std::vector<uint32_t>> byType;
  llvm::StringMap<std::vector<uint32_t>> byAttribute;
  /// The numbers in names that ONNX Runtime made for nameless nodes
  /// ("MatMul_3"), and the nameless ops; both in order.
  struct Unnamed {
    std::vector<uint64_t> numbers;
    std::vector<uint32_t> ops;
  };
  /// By type, and the nodes around.
  std::map<std::vector<std::string>, Unnamed> unnamed;
  /// Names that were measured.
  llvm::StringSet<> measured;
  /// Ops that need only weights.
  llvm::DenseSet<uint32_t> constant;
  /// By op: names of neighbors that run within some op, but not by their own.
  llvm::DenseMap<uint32_t, std::vector<llvm::StringRef>> absorbed;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_ONNX_ONNXMATCHER_H
