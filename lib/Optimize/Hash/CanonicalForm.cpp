//===- CanonicalForm.cpp - An op as text without its names ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CanonicalForm.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/PointerUnion.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::optimize;

namespace {

/// Writes an op with an explicit stack: regions may be nested by the thousand.
class FormWriter {
public:
  FormWriter(Operation *root, ShapeForm form)
      : root(root), os(result.text), attributes(os, form) {
    os << kCanonicalFormat
       << (form == ShapeForm::Exact ? " exact\n" : " shape-erased\n");
  }
  CanonicalForm run();

private:
  /// Something still to be written; of an op that is `written`, its end.
  struct Item {
    llvm::PointerUnion<Operation *, Region *, Block *> what;
    unsigned depth;
    bool written = false;
  };

  void writeOp(Operation *op, unsigned depth);
  void writeRegion(Region *region, unsigned depth);
  void writeBlock(Block *block, unsigned depth);
  void writeAttributes(Operation *op);
  void writeValue(StringRef kind, Value value, bool isUse);
  bool isOutside(Value value) const;

  Operation *root;
  CanonicalForm result;
  llvm::raw_string_ostream os;
  AttributeWriter attributes;
  llvm::DenseMap<Value, unsigned> values;
  llvm::DenseMap<Block *, unsigned> blocks;
  SmallVector<Item> stack;
};

} // namespace

/// Whether the attribute is part of what the op is.
static bool isSemantic(Operation *op, StringAttr name) {
  StringRef text = name.getValue();
  if (!op->isRegistered())
    return !text.contains('.');
  // How a function is called from outside is not what it does.
  if (isa<FunctionOpInterface>(op) &&
      llvm::is_contained({"arg_attrs", "res_attrs", "sym_visibility"}, text))
    return false;
  return op->getInherentAttr(text) &&
         !(text == "doc" && op->getName().getDialectNamespace() == "linalg");
}

void FormWriter::writeAttributes(Operation *op) {
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    if (!isSemantic(op, attribute.getName()))
      continue;
    StringRef name = attribute.getName().getValue();
    os << "attribute " << name.size() << ':' << name << ' ';
    attributes.writeAttribute(name, attribute.getValue());
    os << '\n';
  }
}

bool FormWriter::isOutside(Value value) const {
  Operation *owner = value.getParentBlock()->getParentOp();
  return !owner || !root->isAncestor(owner);
}

void FormWriter::writeValue(StringRef kind, Value value, bool isUse) {
  auto [place, isNew] = values.try_emplace(value, unsigned(values.size()));
  os << kind << " %" << place->second;
  if (isNew) {
    os << ':';
    attributes.writeType(value.getType());
  }
  if (isNew && isUse) {
    Attribute constant;
    if (isa<BlockArgument>(value)) {
      os << " argument";
    } else if (matchPattern(value, m_Constant(&constant))) {
      os << " constant";
      attributes.writeConstant(constant);
    } else {
      os << " #" << cast<OpResult>(value).getResultNumber();
    }
  }
  os << '\n';
}

void FormWriter::writeOp(Operation *op, unsigned depth) {
  os << "op " << op->getName().getStringRef() << '\n';
  writeAttributes(op);
  for (Value operand : op->getOperands()) {
    if (op != root && !values.count(operand) && isOutside(operand))
      result.captures.push_back(operand);
    writeValue("operand", operand, /*isUse=*/true);
  }
  for (Value result : op->getResults())
    writeValue("result", result, /*isUse=*/false);
  for (Block *successor : op->getSuccessors())
    os << "successor " << blocks.lookup(successor) << '\n';
  stack.push_back({op, depth, /*written=*/true});
  if (depth == kMaxFormDepth)
    return;
  for (Region &region : llvm::reverse(op->getRegions()))
    stack.push_back({&region, depth + 1});
}

void FormWriter::writeRegion(Region *region, unsigned depth) {
  os << "region\n";
  unsigned index = 0;
  for (Block &block : *region)
    blocks[&block] = index++;
  for (Block &block : llvm::reverse(*region))
    stack.push_back({&block, depth});
}

void FormWriter::writeBlock(Block *block, unsigned depth) {
  os << "block\n";
  for (BlockArgument argument : block->getArguments())
    writeValue("argument", argument, /*isUse=*/false);
  for (Operation &op : llvm::reverse(*block))
    stack.push_back({&op, depth});
}

CanonicalForm FormWriter::run() {
  stack.push_back({root, 0});
  while (!stack.empty()) {
    Item item = stack.pop_back_val();
    if (item.written)
      os << "end\n";
    else if (auto *op = dyn_cast<Operation *>(item.what))
      writeOp(op, item.depth);
    else if (auto *region = dyn_cast<Region *>(item.what))
      writeRegion(region, item.depth);
    else
      writeBlock(cast<Block *>(item.what), item.depth);
  }
  return std::move(result);
}

CanonicalForm optimize::makeCanonicalForm(Operation *op, ShapeForm form) {
  return FormWriter(op, form).run();
}

std::string optimize::getCanonicalForm(Operation *op, ShapeForm form) {
  return makeCanonicalForm(op, form).text;
}
