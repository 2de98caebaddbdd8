//===- HloStructure.cpp - Identifying HLO instructions --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloStructure.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Trace/Event.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Limit on nested tuples, whose depth in a damaged module is arbitrary.
static constexpr unsigned kMaxDepth = 32;

static void write(const HloShape &shape, unsigned depth,
                  llvm::raw_ostream &os) {
  os << shape.elementType << '[';
  for (int64_t size : shape.dimensions)
    os << size << ',';
  os << ']';
  if (depth == kMaxDepth)
    return;
  for (const HloShape &part : shape.tuple) {
    os << '(';
    write(part, depth + 1, os);
    os << ')';
  }
}

static void write(const HloInstruction &instruction, llvm::raw_ostream &os) {
  auto text = [&](llvm::StringRef value) {
    os << value.size() << ':' << value << ' ';
  };
  text(instruction.opcode);
  text(instruction.fusionKind);
  text(instruction.customCallTarget);
  write(instruction.shape, 0, os);
  for (int64_t dimension : instruction.lhsContractingDimensions)
    os << " contract " << dimension;
  os << '\n';
}

std::string diff::hashStructure(const HloIndex &module, uint32_t index) {
  const std::vector<HloInstruction> &all = module.getModule().instructions;
  std::string form;
  llvm::raw_string_ostream os(form);
  write(all[index], os);
  for (uint32_t member : module.getMembers(index))
    if (member != index) {
      os << "member ";
      write(all[member], os);
    }
  for (int64_t id : all[index].operandIds) {
    uint32_t operand = module.findId(id);
    os << "operand ";
    if (operand != kNone)
      write(all[operand].shape, 0, os);
    os << '\n';
  }
  return contentHash(form);
}
