//===- Choices.cpp - Choices made for an op -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Dialect/Cpu/Cpu.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

static DictionaryAttr getChoices(Operation *op) {
  return dyn_cast_or_null<DictionaryAttr>(
      op->getDiscardableAttr(kChoiceAttribute));
}

std::optional<StringRef> codegen::getChoice(Operation *op, StringRef technique,
                                            StringRef parameter) {
  DictionaryAttr choices = getChoices(op);
  auto parameters =
      choices ? choices.getAs<DictionaryAttr>(technique) : DictionaryAttr();
  auto value =
      parameters ? parameters.getAs<StringAttr>(parameter) : StringAttr();
  return value ? std::optional(value.getValue()) : std::nullopt;
}

std::optional<int64_t> codegen::getNumberChoice(Operation *op,
                                                StringRef technique,
                                                StringRef parameter,
                                                int64_t most) {
  std::optional<StringRef> text = getChoice(op, technique, parameter);
  int64_t number = 0;
  if (!text || text->getAsInteger(10, number) || number < 0 || number > most)
    return std::nullopt;
  return number;
}

void codegen::setChoice(Operation *op, StringRef technique,
                        const std::map<std::string, std::string> &parameters) {
  MLIRContext *context = op->getContext();
  NamedAttrList choices(getChoices(op));
  NamedAttrList values;
  // An attribute with an empty name could be printed but not parsed again.
  for (const auto &[name, value] : parameters)
    if (!name.empty() && !technique.empty())
      values.set(name, StringAttr::get(context, value));
  if (values.empty())
    choices.erase(technique);
  else
    choices.set(technique, values.getDictionary(context));
  if (choices.empty())
    op->removeDiscardableAttr(kChoiceAttribute);
  else
    op->setDiscardableAttr(kChoiceAttribute, choices.getDictionary(context));
}

static bool isCarriedOut(NamedAttribute entry) {
  auto parameters = dyn_cast<DictionaryAttr>(entry.getValue());
  auto name = parameters ? parameters.getAs<StringAttr>("name") : StringAttr();
  return entry.getName() == choice::kAlgorithm &&
         !(name && name.getValue() == "direct");
}

static void addChoices(DictionaryAttr from, Operation *to, StringRef without) {
  if (!from)
    return;
  NamedAttrList merged(getChoices(to));
  for (NamedAttribute entry : from)
    if (entry.getName() != without && !isCarriedOut(entry) &&
        !merged.get(entry.getName()))
      merged.set(entry.getName(), entry.getValue());
  if (!merged.empty())
    to->setDiscardableAttr(kChoiceAttribute,
                           merged.getDictionary(to->getContext()));
}

void codegen::copyChoices(Operation *from, Operation *to, StringRef without) {
  addChoices(getChoices(from), to, without);
}

void ChoiceKeeper::setSource(Operation *op) {
  choices = op ? getChoices(op) : DictionaryAttr();
}

void ChoiceKeeper::notifyOperationInserted(Operation *op,
                                           OpBuilder::InsertPoint) {
  if (isa<cpu::WinogradInputOp, cpu::WinogradOutputOp, linalg::LinalgOp,
          scf::ForOp>(op))
    addChoices(dyn_cast_or_null<DictionaryAttr>(choices), op, "");
}

//===----------------------------------------------------------------------===//
// RebuildKeeper
//===----------------------------------------------------------------------===//

/// The condition that controls a branch; null for loops.
static Value getCondition(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  return branch ? branch.getCondition() : Value();
}

void RebuildKeeper::notifyPatternBegin(const Pattern &, Operation *op) {
  kind.reset();
  if (!isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op) || !getChoices(op))
    return;
  kind = op->getName();
  condition = getCondition(op);
  choices = getChoices(op);
}

void RebuildKeeper::notifyPatternEnd(const Pattern &, LogicalResult) {
  kind.reset();
}

void RebuildKeeper::notifyOperationInserted(Operation *op,
                                            OpBuilder::InsertPoint before) {
  // Moved ops are not new. A branch on another condition is another branch.
  if (!before.isSet() && kind == op->getName() && condition == getCondition(op))
    addChoices(cast<DictionaryAttr>(choices), op, "");
}

void codegen::stripChoices(Operation *root) {
  root->walk(
      [](Operation *op) { op->removeDiscardableAttr(kChoiceAttribute); });
}
