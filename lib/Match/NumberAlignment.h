//===- NumberAlignment.h - Mapping names to renumbered ones -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks number layers by place: layer_3 of a recording is any layer of a
// module that has more or fewer. Matrix products and convolutions show whether
// it has, since each of them runs. An element, counted by a number in one
// scope, is the op itself or everything in a layer; the elements of both sides
// are aligned, and equally good ones are kept together.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_NUMBERALIGNMENT_H
#define MLIR_PROF_LIB_MATCH_NUMBERALIGNMENT_H

#include "ScopeNames.h"
#include "mlir-prof/Module/ModuleIndex.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/StringSaver.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mlirprof::match {

/// Whether nodes of this type are matrix products or convolutions, whatever a
/// framework writes before and after that.
bool isProductType(llvm::StringRef type);

/// Finds the current names in a module for those of a recording. Both sides are
/// added first.
class NumberAlignment {
public:
  /// Shapes of the inputs of an op that have dimensions; -1 is unknown.
  using Shapes = std::vector<std::vector<int64_t>>;

  /// Reads the shapes of an op's inputs, which few ops are asked for.
  using ReadShapes = std::function<Shapes()>;

  /// An op's own name. `readInputs` is called until run() ends.
  void addModule(llvm::StringRef name, ReadShapes readInputs, bool isProduct);
  /// A name, which may be preceded by those of calls.
  void addRecorded(llvm::StringRef name, Shapes inputs, bool isProduct);
  /// Aligns both; returns whether they show different modules.
  bool run();

  struct Names {
    /// Its possible current names; without any it is gone.
    std::vector<std::string> names;
    /// Whether another one fits these as well, and may be the one that is left.
    bool isContested = false;
  };
  /// The current names of a name; nullopt if it is unchanged.
  std::optional<Names> find(llvm::StringRef recorded) const;
  /// The reason why a contested name does not have an op.
  static constexpr const char *kContested =
      "layers are gone, and another node fits its op equally well";

private:
  struct Node {
    /// The part before the one that ops of the module may have, and that one.
    llvm::StringRef callers, text;
    ScopeName name = ScopeName("");
    Shapes inputs;
    bool isProduct = false;
    /// For ops of the module; empty if several of them have the name.
    ReadShapes readInputs;
  };
  /// Nodes of one side, by their names within an element, as positions in
  /// `recorded` or `module`.
  using Element = llvm::StringMap<uint32_t>;
  /// By number.
  using Elements = std::map<uint64_t, Element>;
  struct Group {
    Elements recorded, module;
    /// The possible current elements for those of the recording, once known.
    struct Target {
      std::vector<uint64_t> numbers;
      bool isContested = false;
    };
    std::map<uint64_t, Target> targets;
  };

  static std::string getScope(const ScopeName &name, size_t part);
  static std::string getRest(const ScopeName &name, size_t part);
  size_t countKnownParts(const ScopeName &name) const;
  void addToGroups(const Node &node, uint32_t number, Elements Group::*side);
  ScopeName parse(llvm::StringRef name) const;
  bool isUnchanged() const;
  void indexModule();
  void indexRecorded();
  void judgeShapes();
  static bool hasProduct(const Element &element, llvm::ArrayRef<Node> nodes);
  bool fits(const Group &group, uint64_t from, uint64_t to) const;
  bool alignChanged(Group &group);
  bool alignElements(Group &group);
  bool alignMoved(Group &group);
  void alignBeside(const std::set<std::string> &scopes);

  std::vector<Node> recorded, module;
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver{allocator};
  /// Own names of the module without numbers, and positions by own name.
  llvm::StringSet<> texts;
  /// Parts that are numbered as a whole: "AddV2", if there is an "AddV2_1".
  llvm::StringSet<> numbered;
  llvm::StringMap<uint32_t> moduleByName, recordedByName;
  /// By scope and text, and the part of the name that has the number.
  std::map<std::pair<std::string, size_t>, Group> groups;
  bool knowsShapes = false, hasChanged = false;
  /// Pairs of elements that may still be compared.
  size_t cellsLeft = 0;
};

/// Adds the names of a module's ops with the shapes of their inputs. Ops that
/// may be skipped at run time are not evidence for a product.
void addNames(const module::ModuleIndex &index, NumberAlignment &numbers);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_NUMBERALIGNMENT_H
