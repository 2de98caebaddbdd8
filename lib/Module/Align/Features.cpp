//===- Features.cpp - Features of a module's ops --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Features.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <map>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;
using namespace mlirprof::profile;

/// Ops in the body of a structured op are a part of its computation; larger
/// regions contain separate ops.
static constexpr unsigned kMaxBodyOps = 64;

Hash align::combine(Hash a, Hash b) {
  // The finalizer of MurmurHash3.
  uint64_t mixed = a * 0x9E3779B97F4A7C15ull + b;
  mixed = (mixed ^ (mixed >> 33)) * 0xFF51AFD7ED558CCDull;
  mixed = (mixed ^ (mixed >> 33)) * 0xC4CEB9FE1A85EC53ull;
  return mixed ^ (mixed >> 33);
}

template <typename T>
static Hash hashText(T value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << value;
  return llvm::xxh3_64bits(text);
}

namespace mlirprof::module::align {

/// Computes Features.
class FeatureReader {
public:
  FeatureReader(Features &features, ArrayRef<ElidedValues> elided)
      : features(features) {
    for (const ElidedValues &values : elided)
      known[values.op] = values.hash;
  }
  void read(Operation *root);

private:
  struct Labels {
    Hash exact = 0;
    Hash sizeless = 0;
  };
  void addOps(Operation *root);
  void addOp(Operation *op);
  void addArguments(Operation *op);
  void addEdges(Operation *op);
  void order(Operation *op);
  void addNode(Operation *parent);
  Labels hash(Type type);
  Labels hash(Attribute attribute);
  void hashElements(Operation *op, uint32_t node);
  Labels hashAttributes(Operation *op);
  Labels hashBody(Operation *op);
  Hash hashName(Location location);

  Features &features;
  /// By op, values for which a stored module has zeros.
  std::map<uint32_t, Hash> known;
  LocationTable locations;
  DenseMap<Operation *, uint32_t> numbers;
  DenseMap<Value, uint32_t> arguments;
  DenseMap<Type, Labels> types;
  DenseMap<Attribute, Labels> attributes;
};

} // namespace mlirprof::module::align

void FeatureReader::addNode(Operation *parent) {
  features.kind.push_back(0);
  features.sizeless.push_back(0);
  features.label.push_back(0);
  features.content.push_back(0);
  features.name.push_back(0);
  features.isConstant.push_back(false);
  features.isUnknown.push_back(false);
  features.isWeight.push_back(false);
  features.isTerminator.push_back(false);
  features.parent.push_back(parent ? numbers.lookup(parent) : 0);
  features.sizes.emplace_back();
  features.operands.emplace_back();
  features.users.emplace_back();
}

FeatureReader::Labels FeatureReader::hash(Type type) {
  auto [place, isNew] = types.try_emplace(type);
  if (!isNew)
    return place->second;
  Labels labels;
  labels.exact = labels.sizeless = hashText(type);
  if (auto shaped = dyn_cast<ShapedType>(type))
    labels.sizeless =
        combine(hashText(shaped.getElementType()),
                shaped.hasRank() ? uint64_t(shaped.getRank()) : ~0ull);
  return types[type] = labels;
}

/// Whether an attribute is a size.
static bool isSize(Attribute attribute) {
  if (auto array = dyn_cast<ArrayAttr>(attribute))
    return llvm::any_of(array, isSize);
  return isa<DenseArrayAttr, IntegerAttr, TypeAttr, ElementsAttr>(attribute);
}

FeatureReader::Labels FeatureReader::hash(Attribute attribute) {
  auto [place, isNew] = attributes.try_emplace(attribute);
  if (!isNew)
    return place->second;
  Labels labels;
  labels.exact = hashText(attribute);
  labels.sizeless = isSize(attribute) ? 0 : labels.exact;
  return attributes[attribute] = labels;
}

/// Whether an attribute names things, or belongs to the profile: it is not a
/// part of the computation.
static bool isIgnored(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (isa<SymbolRefAttr>(attribute.getValue()) || name.starts_with("prof.") ||
      name == "profiler_data" || name == SymbolTable::getSymbolAttrName())
    return true;
  return isa<FunctionOpInterface>(op);
}

FeatureReader::Labels FeatureReader::hashAttributes(Operation *op) {
  Labels labels;
  for (NamedAttribute attribute : getAllAttributes(op)) {
    if (isIgnored(op, attribute) || isa<ElementsAttr>(attribute.getValue()))
      continue;
    Hash name = llvm::xxh3_64bits(attribute.getName().getValue());
    Labels value = hash(attribute.getValue());
    labels.exact = combine(labels.exact, combine(name, value.exact));
    labels.sizeless = combine(labels.sizeless, combine(name, value.sizeless));
  }
  return labels;
}

/// Whether elements may be weights. Integers of 32 bits and more are sizes or
/// indices, which layers share.
static bool isOfWeights(ElementsAttr elements) {
  Type type = elements.getElementType();
  auto integer = dyn_cast<IntegerType>(type);
  return !isa<IndexType>(type) && (!integer || integer.getWidth() < 32);
}

/// Hashes elements of attributes: a small splat is a part of the computation
/// (an epsilon, a scale), all other values may depend on a seed.
void FeatureReader::hashElements(Operation *op, uint32_t node) {
  auto values = known.find(node);
  bool isElided = values != known.end();
  for (NamedAttribute attribute : getAllAttributes(op)) {
    auto elements = dyn_cast<ElementsAttr>(attribute.getValue());
    if (!elements)
      continue;
    Labels type = hash(elements.getShapedType());
    features.label[node] = combine(features.label[node], type.exact);
    features.sizeless[node] = combine(features.sizeless[node], type.sizeless);
    auto dense = dyn_cast<DenseIntOrFPElementsAttr>(elements);
    features.isWeight[node] = features.isWeight[node] || isOfWeights(elements);
    // Large ones may be zeros that replace other values.
    bool isLarge = isLargeConstant(elements);
    features.isUnknown[node] = features.isUnknown[node] || isLarge;
    if (dense && dense.isSplat() && !isLarge && !isElided)
      features.label[node] = combine(
          features.label[node], hash(dense.getSplatValue<Attribute>()).exact);
  }
  features.content[node] = isElided ? values->second : hashValues(op);
  if (features.content[node])
    features.isUnknown[node] = false;
}

/// Hashes the body of an op with a small one (linalg.generic).
FeatureReader::Labels FeatureReader::hashBody(Operation *op) {
  Labels labels;
  if (op->getNumRegions() == 0 || isa<FunctionOpInterface>(op) ||
      op->hasTrait<OpTrait::SymbolTable>())
    return labels;
  unsigned count = 0;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (inner == op)
      return WalkResult::advance();
    if (++count > kMaxBodyOps) {
      labels = Labels();
      return WalkResult::interrupt();
    }
    Hash name = llvm::xxh3_64bits(inner->getName().getStringRef());
    Labels own = hashAttributes(inner);
    labels.exact = combine(labels.exact, combine(name, own.exact));
    labels.sizeless = combine(labels.sizeless, combine(name, own.sizeless));
    return WalkResult::advance();
  });
  return labels;
}

/// The names in a location; 0 without.
Hash FeatureReader::hashName(Location location) {
  const auto &names = locations.get(locations.add(location)).names;
  Hash hash = 0;
  for (uint32_t name : names)
    hash = combine(hash, llvm::xxh3_64bits(locations.getName(name)));
  auto [place, isNew] = features.names.try_emplace(hash);
  if (isNew)
    for (uint32_t name : names)
      place->second += (locations.getName(name) + "\n").str();
  return hash;
}

static void addSizes(Type type, llvm::SmallVectorImpl<int64_t> &sizes) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (shaped && shaped.hasRank())
    llvm::append_range(sizes, shaped.getShape());
}

/// Whether everything that an op computes is in its attributes. Ops of
/// unregistered dialects lack the trait that would tell.
static bool isConstant(Operation *op) {
  if (op->isRegistered())
    return op->hasTrait<OpTrait::ConstantLike>();
  return op->getNumOperands() == 0 && op->getNumRegions() == 0 &&
         op->getNumSuccessors() == 0 && op->getNumResults() != 0 &&
         !getAllAttributes(op).empty();
}

void FeatureReader::addOp(Operation *op) {
  uint32_t node = features.size();
  addNode(op->getParentOp());
  numbers[op] = node;
  features.isConstant[node] = isConstant(op);
  features.isTerminator[node] = op->hasTrait<OpTrait::IsTerminator>();
  Hash kind = llvm::xxh3_64bits(op->getName().getStringRef());
  Labels own = hashAttributes(op), body = hashBody(op);
  features.kind[node] = kind;
  Hash exact = combine(kind, combine(own.exact, body.exact));
  Hash sizeless = combine(kind, combine(own.sizeless, body.sizeless));
  for (Type type : op->getResultTypes()) {
    Labels labels = hash(type);
    exact = combine(exact, labels.exact);
    sizeless = combine(sizeless, labels.sizeless);
    addSizes(type, features.sizes[node]);
  }
  features.label[node] = exact;
  features.sizeless[node] = sizeless;
  hashElements(op, node);
  features.name[node] = hashName(op->getLoc());
  if (auto symbol =
          op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
    features.name[node] = llvm::xxh3_64bits(symbol.getValue());
}

void FeatureReader::addOps(Operation *root) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { addOp(op); });
  features.ops = features.size();
}

void FeatureReader::addArguments(Operation *op) {
  for (auto [r, region] : llvm::enumerate(op->getRegions()))
    for (auto [b, block] : llvm::enumerate(region))
      for (BlockArgument argument : block.getArguments()) {
        uint32_t node = features.size();
        addNode(op);
        arguments[argument] = node;
        // Arguments of functions are identified by their users: others come and
        // go before them.
        Hash place = combine(combine(1, r), b);
        if (!isa<FunctionOpInterface>(op))
          place = combine(place, argument.getArgNumber());
        Labels type = hash(argument.getType());
        features.kind[node] = place;
        features.sizeless[node] = combine(place, type.sizeless);
        features.label[node] = combine(place, type.exact);
        addSizes(argument.getType(), features.sizes[node]);
        features.name[node] = hashName(argument.getLoc());
      }
}

void FeatureReader::addEdges(Operation *op) {
  uint32_t user = numbers.lookup(op);
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    uint32_t producer = 0, result = 0;
    if (auto opResult = dyn_cast<OpResult>(value)) {
      producer = numbers.lookup(opResult.getOwner());
      result = opResult.getResultNumber();
    } else {
      producer = arguments.lookup(value);
    }
    features.operands[user].push_back({producer, result});
    uint32_t port = operand.getOperandNumber() << 8 | (result & 255);
    features.users[producer].push_back({user, port});
  }
}

/// The pre-order of the reversed module: users come first if values come before
/// their uses.
void FeatureReader::order(Operation *op) {
  SmallVector<Operation *> stack = {op};
  while (!stack.empty()) {
    Operation *next = stack.pop_back_val();
    features.usersFirst.push_back(numbers.lookup(next));
    for (Region &region : next->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          stack.push_back(&inner);
  }
  for (uint32_t node = features.ops; node != features.size(); ++node)
    features.usersFirst.push_back(node);
}

void FeatureReader::read(Operation *root) {
  addOps(root);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { addArguments(op); });
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { addEdges(op); });
  order(root);
}

Features::Features(Operation *root, ArrayRef<ElidedValues> known) {
  FeatureReader(*this, known).read(root);
}
