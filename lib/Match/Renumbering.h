//===- Renumbering.h - Names in the numbers of another module ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks number layers by their place: layer_3 of a recording is any layer
// of a module that has more or fewer. Matrix products and convolutions tell
// whether it has: each of them runs. What a number counts in one scope, an
// element, is then the op itself or all that is in a layer; the elements of
// both sides are put side by side, and what fits equally well is kept together.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_RENUMBERING_H
#define MLIR_PROF_LIB_MATCH_RENUMBERING_H

#include "ScopeNames.h"
#include "mlir-prof/Module/ModuleIndex.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mlirprof::match {

/// Whether nodes of this type are matrix products or convolutions, whatever a
/// framework writes before and behind that.
bool isProductType(llvm::StringRef type);

/// Finds the names that a module may have now for those of a recording. Both
/// sides are added first.
class Renumbering {
public:
  /// Of the inputs of an op that have dimensions; -1 is unknown.
  using Shapes = std::vector<std::vector<int64_t>>;

  /// An op's own name.
  void addModule(llvm::StringRef name, Shapes inputs, bool isProduct);
  /// A name, which may have those of calls before that of an op; the whole
  /// module comes first.
  void addRecorded(llvm::StringRef name, Shapes inputs, bool isProduct);
  /// Puts both side by side; says whether they tell of different modules.
  bool run();

  struct Names {
    /// What may be its name now; without any it is gone.
    std::vector<std::string> names;
    /// Another one fits these as well, and may be the one that is left.
    bool isContested = false;
  };
  /// What became of a name; nullopt where it says what it did.
  std::optional<Names> find(llvm::StringRef recorded) const;
  /// Why a contested name does not have an op.
  static constexpr const char *kContested =
      "layers are gone, and another node fits its op equally well";

private:
  struct Node {
    /// What stands before the part that ops of the module may have.
    std::string callers;
    std::string text;
    ScopeName name = ScopeName("");
    Shapes inputs;
    bool isProduct = false;
  };
  /// Nodes of one side, by what an element is called within, as positions in
  /// `recorded` or `module`.
  using Element = llvm::StringMap<uint32_t>;
  /// By number.
  using Elements = std::map<uint64_t, Element>;
  struct Group {
    Elements recorded, module;
    /// What the elements of the recording may be now, once that is known.
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
  void indexModule();
  bool areContrary(const Node &recorded, const Node &now) const;
  void judgeShapes();
  static bool hasProduct(const Element &element, llvm::ArrayRef<Node> nodes);
  bool fits(const Group &group, uint64_t from, uint64_t to) const;
  bool alignChanged(Group &group) const;
  void alignElements(Group &group) const;
  bool alignMoved(Group &group) const;
  void alignBeside(const std::set<std::string> &scopes);

  std::vector<Node> recorded, module;
  /// Own names of the module without numbers, and positions by own name.
  llvm::StringSet<> texts;
  /// Parts that are numbered as a whole: "AddV2", of which there is an
  /// "AddV2_1".
  llvm::StringSet<> numbered;
  llvm::StringMap<uint32_t> moduleByName, recordedByName;
  /// By scope and text, and the part of the name that has the number.
  std::map<std::pair<std::string, size_t>, Group> groups;
  bool knowsShapes = false, hasChanged = false;
};

/// Adds the names of a module's ops with the shapes of their inputs. What may
/// be skipped when the module runs is not evidence for a product.
void addNames(const module::ModuleIndex &index, Renumbering &numbers);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_RENUMBERING_H
