//===- NumberAlignment.cpp - Mapping names to renumbered ones -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumberAlignment.h"
#include "SequenceAlign.h"
#include "mlir-prof/Cost/OnnxOps.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "mlir-prof/Cost/TensorShape.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using llvm::StringRef;

/// Maximum number of parts of a name that are considered.
static constexpr size_t kMostParts = 32;
/// Limit on the numbers of a scope.
static constexpr uint64_t kMostNumbers = 1024;
/// Limit on the pairs of elements that all groups together may compare; groups
/// beyond it count as unchanged.
static constexpr size_t kMostCells = size_t(1) << 24;
/// Maximum number of nodes of one text whose shapes are compared.
static constexpr size_t kMostAlike = 256;

bool match::isProductType(StringRef type) {
  for (StringRef word : {"MatMul", "Gemm", "Conv", "Einsum"}) {
    size_t at = type.find(word);
    if (at != StringRef::npos && !type.drop_front(at).starts_with("Convert"))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Both sides
//===----------------------------------------------------------------------===//

/// The parts up to `part`, with the numbers of those before it.
std::string NumberAlignment::getScope(const ScopeName &name, size_t part) {
  std::string text;
  for (size_t i = 0; i < part; ++i)
    text += name.parts[i] + '_' + std::to_string(name.numbers[i]) + '/';
  return text;
}

std::string NumberAlignment::getRest(const ScopeName &name, size_t part) {
  std::string text;
  for (size_t i = part + 1; i < name.parts.size(); ++i)
    text += name.parts[i] + '_' + std::to_string(name.numbers[i]) + '/';
  return text;
}

void NumberAlignment::addToGroups(const Node &node, uint32_t number,
                                  Elements Group::*side) {
  for (size_t i = 0; i < std::min(node.name.parts.size(), kMostParts); ++i)
    (groups[{getScope(node.name, i) + node.name.parts[i], i}].*
     side)[node.name.numbers[i]][getRest(node.name, i)] = number;
}

void NumberAlignment::addModule(StringRef name, ReadShapes readInputs,
                                bool isProduct) {
  auto [known, isNew] = moduleByName.try_emplace(name, uint32_t(module.size()));
  if (!isNew) {
    Node &node = module[known->second];
    node.isProduct |= isProduct;
    node.readInputs = nullptr;
    return;
  }
  Node &node = module.emplace_back();
  node.text = known->first();
  node.isProduct = isProduct;
  node.readInputs = std::move(readInputs);
}

void NumberAlignment::addRecorded(StringRef name, Shapes inputs,
                                  bool isProduct) {
  Node &node = recorded.emplace_back();
  node.text = saver.save(name);
  node.inputs = std::move(inputs);
  node.isProduct = isProduct;
}

ScopeName NumberAlignment::parse(StringRef name) const {
  ScopeName scopes(name);
  for (size_t i = 0; i < scopes.parts.size(); ++i) {
    auto [part, rest] = name.split('/');
    name = rest;
    if (numbered.contains(part)) {
      scopes.parts[i] = part.str();
      scopes.numbers[i] = 0;
    }
  }
  return scopes;
}

void NumberAlignment::indexModule() {
  for (const Node &node : module) {
    llvm::SmallVector<StringRef> parts;
    StringRef(node.text).split(parts, '/');
    for (StringRef part : parts) {
      StringRef text = part.rtrim("0123456789");
      if (text.size() != part.size() && text.consume_back("_"))
        numbered.insert(text);
    }
  }
  for (auto [number, node] : llvm::enumerate(module)) {
    if (node.readInputs)
      node.inputs = node.readInputs();
    node.name = parse(node.text);
    texts.insert(node.name.getText(node.name.parts.size()));
    addToGroups(node, uint32_t(number), &Group::module);
  }
}

size_t NumberAlignment::countKnownParts(const ScopeName &name) const {
  for (size_t count = name.parts.size(); count > 0; --count)
    if (texts.contains(name.getText(count)))
      return count;
  return 0;
}

/// Keeps the recorded names that the module may have, each once, and finds
/// which part of them is that of calls.
void NumberAlignment::indexRecorded() {
  std::vector<Node> added = std::move(recorded);
  recorded.clear();
  for (Node &node : added) {
    ScopeName scopes = parse(node.text);
    size_t count = countKnownParts(scopes);
    if (count == 0 ||
        !recordedByName.try_emplace(node.text, uint32_t(recorded.size()))
             .second)
      continue;
    StringRef own = node.text;
    for (size_t i = count; i < scopes.parts.size(); ++i)
      own = own.split('/').second;
    node.callers = node.text.drop_back(own.size());
    node.text = own;
    node.name = parse(own);
    addToGroups(node, uint32_t(recorded.size()), &Group::recorded);
    recorded.push_back(std::move(node));
  }
}

/// Whether an input is not among those of the module. A recording may lack some
/// of them, such as weights that were packed before.
static bool areContrary(const NumberAlignment::Shapes &mine,
                        const NumberAlignment::Shapes &theirs) {
  auto agree = [](const std::vector<int64_t> &a,
                  const std::vector<int64_t> &b) {
    return a.size() == b.size() &&
           llvm::all_of(llvm::zip_equal(a, b), [](auto pair) {
             auto [x, y] = pair;
             return x == y || x < 0 || y < 0;
           });
  };
  return !theirs.empty() && llvm::any_of(mine, [&](const auto &shape) {
    return llvm::none_of(
        theirs, [&](const auto &other) { return agree(shape, other); });
  });
}

/// Whether both sides have the same products by name, and no shape contradicts
/// its name: then no group can show a change, and nothing need be parsed.
bool NumberAlignment::isUnchanged() const {
  std::vector<bool> hasRun(module.size());
  for (const Node &node : recorded) {
    auto now = moduleByName.find(node.text);
    if (now == moduleByName.end()) {
      if (node.isProduct)
        return false;
      continue;
    }
    const Node &own = module[now->second];
    if (own.isProduct != node.isProduct ||
        (own.readInputs && !node.inputs.empty() &&
         areContrary(node.inputs, own.readInputs())))
      return false;
    hasRun[now->second] = true;
  }
  return llvm::all_of(llvm::seq<size_t>(0, module.size()), [&](size_t i) {
    return hasRun[i] || !module[i].isProduct;
  });
}

/// A module with another batch than the recorded one does not share any shape.
void NumberAlignment::judgeShapes() {
  llvm::StringMap<std::vector<uint32_t>> byText;
  for (auto [number, node] : llvm::enumerate(module)) {
    auto &alike = byText[node.name.getText(node.name.parts.size())];
    if (!node.inputs.empty() && alike.size() < kMostAlike)
      alike.push_back(uint32_t(number));
  }
  size_t known = 0, other = 0;
  for (const Node &node : recorded) {
    auto alike = byText.find(node.name.getText(node.name.parts.size()));
    if (node.inputs.empty() || alike == byText.end() || alike->second.empty())
      continue;
    ++known;
    other += llvm::all_of(alike->second, [&](uint32_t number) {
      return areContrary(node.inputs, module[number].inputs);
    });
  }
  knowsShapes = 2 * other < known;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

bool NumberAlignment::hasProduct(const Element &element,
                                 llvm::ArrayRef<Node> nodes) {
  return llvm::any_of(element, [&](const auto &member) {
    return nodes[member.getValue()].isProduct;
  });
}

/// Whether no recorded node of an element contradicts its being another one
/// now.
bool NumberAlignment::fits(const Group &group, uint64_t from,
                           uint64_t to) const {
  auto mine = group.recorded.find(from);
  auto theirs = group.module.find(to);
  if (mine == group.recorded.end() || theirs == group.module.end())
    return true;
  return llvm::all_of(mine->second, [&](const auto &member) {
    const Node &node = recorded[member.getValue()];
    auto found = theirs->second.find(member.getKey());
    if (found == theirs->second.end())
      return !node.isProduct;
    return !knowsShapes ||
           !areContrary(node.inputs, module[found->getValue()].inputs);
  });
}

/// Pairs elements that both count from the same number. Returns whether their
/// numbers are few enough.
bool NumberAlignment::alignElements(Group &group) {
  uint64_t last[] = {group.recorded.rbegin()->first,
                     group.module.rbegin()->first};
  uint64_t begin =
      std::min(group.recorded.begin()->first, group.module.begin()->first);
  if (std::max(last[0], last[1]) >= kMostNumbers)
    return false;
  uint32_t mine = uint32_t(last[0] - begin + 1);
  uint32_t theirs = uint32_t(last[1] - begin + 1);
  if (size_t(mine) * theirs > cellsLeft)
    return false;
  cellsLeft -= size_t(mine) * theirs;
  std::vector<EquallyGood> good, byOrder;
  llvm::BitVector isSpare;
  align(
      mine, theirs,
      [&](uint32_t l, uint32_t r) -> uint32_t {
        return fits(group, begin + l, begin + r);
      },
      &good, &isSpare);
  // Elements that do not fit may have other sizes now, if order leaves them one
  // place.
  align(
      mine, theirs,
      [&](uint32_t l, uint32_t r) -> uint32_t {
        return good[l].right.empty() ? isSpare.test(r)
                                     : llvm::is_contained(good[l].right, r);
      },
      &byOrder);
  for (const auto &[number, nodes] : group.recorded) {
    const EquallyGood &own = good[number - begin];
    const EquallyGood &found =
        own.right.empty() ? byOrder[number - begin] : own;
    Group::Target target;
    target.isContested =
        found.isCut || (found.mayBeNone && !found.right.empty());
    if (!target.isContested)
      for (uint32_t r : found.right)
        target.numbers.push_back(begin + r);
    group.targets[number] = std::move(target);
  }
  return true;
}

/// Aligns equally many elements, some of which changed places according to
/// their shapes.
bool NumberAlignment::alignMoved(Group &group) {
  size_t cells = group.recorded.size() * group.module.size();
  if (cells > cellsLeft)
    return false;
  cellsLeft -= cells;
  bool isMoved = false;
  std::map<uint64_t, Group::Target> targets;
  for (const auto &[number, nodes] : group.recorded) {
    if (fits(group, number, number))
      continue;
    Group::Target target;
    for (const auto &[other, theirs] : group.module)
      if (fits(group, number, other) &&
          !(group.recorded.count(other) && fits(group, other, other)))
        target.numbers.push_back(other);
    if (target.numbers.empty())
      continue;
    isMoved = true;
    targets[number] = std::move(target);
  }
  if (isMoved)
    group.targets = std::move(targets);
  return isMoved;
}

/// Whether a group shows that layers were added or removed, or changed places.
bool NumberAlignment::alignChanged(Group &group) {
  auto getNumbers = [](const Elements &elements, llvm::ArrayRef<Node> nodes) {
    std::vector<uint64_t> numbers;
    for (const auto &[number, element] : elements)
      if (hasProduct(element, nodes))
        numbers.push_back(number);
    return numbers;
  };
  std::vector<uint64_t> mine = getNumbers(group.recorded, recorded),
                        theirs = getNumbers(group.module, module);
  if (mine.empty() || theirs.empty())
    return false;
  if (mine == theirs)
    return mine.size() > 1 && alignMoved(group);
  auto isCounted = [](llvm::ArrayRef<uint64_t> numbers) {
    return numbers.back() - numbers.front() + 1 == numbers.size();
  };
  return isCounted(mine) && isCounted(theirs) &&
         mine.front() == theirs.front() && alignElements(group);
}

/// The scope of a text, "" for the outermost.
static std::string getParent(StringRef text) {
  size_t end = text.rfind('/');
  return end == StringRef::npos ? "" : text.take_front(end).str();
}

/// Aligns counters next to those of products that changed: some of the counted
/// nodes may not have run.
void NumberAlignment::alignBeside(const std::set<std::string> &scopes) {
  for (auto &[key, group] : groups) {
    if (group.recorded.empty() || group.module.empty() ||
        !group.targets.empty() || !scopes.count(getParent(key.first)))
      continue;
    uint64_t mine = group.recorded.rbegin()->first,
             theirs = group.module.rbegin()->first;
    if (mine != theirs &&
        llvm::none_of(group.recorded, [&](const auto &element) {
          return hasProduct(element.second, recorded);
        }))
      alignElements(group);
  }
}

bool NumberAlignment::run() {
  if (isUnchanged())
    return false;
  cellsLeft = kMostCells;
  indexModule();
  indexRecorded();
  judgeShapes();
  std::set<std::string> scopes;
  for (auto &[key, group] : groups)
    if (!group.recorded.empty() && !group.module.empty() && alignChanged(group))
      scopes.insert(getParent(key.first));
  alignBeside(scopes);
  hasChanged = !scopes.empty();
  return hasChanged;
}

std::optional<NumberAlignment::Names>
NumberAlignment::find(StringRef name) const {
  auto own = hasChanged ? recordedByName.find(name) : recordedByName.end();
  if (own == recordedByName.end())
    return std::nullopt;
  const Node &node = recorded[own->second];
  for (size_t i = 0; i < std::min(node.name.parts.size(), kMostParts); ++i) {
    auto group = groups.find({getScope(node.name, i) + node.name.parts[i], i});
    if (group == groups.end())
      return std::nullopt;
    auto target = group->second.targets.find(node.name.numbers[i]);
    if (target == group->second.targets.end())
      continue;
    Names result;
    result.isContested = target->second.isContested;
    std::string rest = getRest(node.name, i);
    for (uint64_t number : target->second.numbers) {
      auto element = group->second.module.find(number);
      if (element == group->second.module.end())
        continue;
      auto other = element->second.find(rest);
      if (other != element->second.end())
        result.names.push_back(
            (node.callers + module[other->getValue()].text).str());
    }
    return result;
  }
  return std::nullopt;
}

/// The functions that a branch calls, directly or through other functions.
static std::vector<bool> findBranches(const ModuleIndex &index) {
  std::vector<bool> isBranch(index.getFunctions().size());
  std::vector<llvm::SmallVector<uint32_t, 2>> callees(isBranch.size());
  std::vector<uint32_t> open;
  auto add = [&](uint32_t function) {
    if (!isBranch[function])
      open.push_back(function);
    isBranch[function] = true;
  };
  for (const IndexedCall &call : index.getCalls()) {
    callees[call.caller].push_back(call.callee);
    if (call.kind == CallKind::Then || call.kind == CallKind::Else)
      add(call.callee);
  }
  while (!open.empty()) {
    uint32_t function = open.back();
    open.pop_back();
    llvm::for_each(callees[function], add);
  }
  return isBranch;
}

/// Whether ops are in a branch, or in code that nothing calls.
static std::vector<bool> findSkipped(const ModuleIndex &index) {
  std::vector<bool> isBranch = findBranches(index);
  std::vector<bool> isSkipped(index.size());
  for (uint32_t op = 1; op < index.size(); ++op) {
    const IndexedOp &own = index[op];
    mlir::Operation *parent = index[own.parent].op;
    bool isChoice = parent->getNumRegions() > 1 &&
                    getKind(parent) == OpKind::Control &&
                    !index.getTraits(own.parent).isFunction;
    isSkipped[op] = isSkipped[own.parent] || isChoice ||
                    isBranch[own.function] ||
                    !index.getFunctions()[own.function].isReachable;
  }
  return isSkipped;
}

static NumberAlignment::Shapes getInputShapes(mlir::Operation *op) {
  NumberAlignment::Shapes inputs;
  for (mlir::Value operand : op->getOperands()) {
    std::vector<int64_t> shape;
    if (getTensorShape(operand.getType(), shape) && !shape.empty())
      inputs.push_back(std::move(shape));
  }
  return inputs;
}

void match::addNames(const ModuleIndex &index, NumberAlignment &numbers) {
  std::vector<bool> isSkipped = findSkipped(index);
  for (uint32_t op = 1; op < index.size(); ++op) {
    if (index.getTraits(op).isFunction || index.getTraits(op).isWrapper)
      continue;
    mlir::Operation *own = index[op].op;
    bool isSureProduct =
        (isProduct(own) || isProductType(getOnnxType(own))) && !isSkipped[op];
    auto add = [&](StringRef name) {
      numbers.addModule(
          name, [own] { return getInputShapes(own); }, isSureProduct);
    };
    for (uint32_t name : index.getLocation(op).names)
      add(index.getLocations().getName(name));
    if (auto name = own->getAttrOfType<mlir::StringAttr>("onnx_node_name"))
      if (index.getLocation(op).names.empty())
        add(name.getValue());
  }
}
