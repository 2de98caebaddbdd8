//===- CNumbers.cpp - Numbers of a host side in C -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CNumbers.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::deploy;

std::string deploy::writeNumber(const HostNumber &number) {
  if (!number.isKnown)
    return formatv("{0}[{1}]", kNumbers, number.value);
  // The least number does not have a literal.
  if (number.value == INT64_MIN)
    return formatv("(-INT64_C({0}) - 1)", INT64_MAX);
  return formatv(number.value < 0 ? "(-INT64_C({0}))" : "INT64_C({0})",
                 number.value < 0 ? -number.value : number.value);
}

std::string deploy::writeWrapped(const Twine &value, unsigned bits) {
  if (bits == 1)
    return formatv("({0}) & 1", value.str());
  return formatv("(int{1}_t)({0})", value.str(), bits);
}

/// The expression, of which bits above those of the step do not have a meaning.
/// The operands follow as {0}, {1} and {2}, then the bits as {3}, and the mask
/// of so many bits as {4}.
static StringLiteral getExpression(HostOperation operation) {
  switch (operation) {
  case HostOperation::Assign:
    return "{0}";
  case HostOperation::Add:
    return "(uint64_t){0} + (uint64_t){1}";
  case HostOperation::Subtract:
    return "(uint64_t){0} - (uint64_t){1}";
  case HostOperation::Multiply:
    return "(uint64_t){0} * (uint64_t){1}";
  // The least number divided by -1 is itself.
  case HostOperation::DivideSigned:
    return "{1} == 0 ? 0 : {1} == -1 ? 0 - (uint64_t){0} : "
           "(uint64_t)({0} / {1})";
  case HostOperation::RemainderSigned:
    return "{1} == 0 || {1} == -1 ? 0 : {0} % {1}";
  case HostOperation::DivideUnsigned:
    return "{1} == 0 ? 0 : ((uint64_t){0} & {4}) / ((uint64_t){1} & {4})";
  case HostOperation::RemainderUnsigned:
    return "{1} == 0 ? 0 : ((uint64_t){0} & {4}) % ((uint64_t){1} & {4})";
  case HostOperation::And:
    return "{0} & {1}";
  case HostOperation::Or:
    return "{0} | {1}";
  case HostOperation::Xor:
    return "{0} ^ {1}";
  case HostOperation::ShiftLeft:
    return "((uint64_t){1} & {4}) < {3} ? (uint64_t){0} << {1} : 0";
  case HostOperation::ShiftRightSigned:
    return "((uint64_t){1} & {4}) < {3} ? {0} >> {1} : 0";
  case HostOperation::ShiftRightUnsigned:
    return "((uint64_t){1} & {4}) < {3} ? ((uint64_t){0} & {4}) >> {1} : 0";
  case HostOperation::Equal:
    return "{0} == {1}";
  case HostOperation::NotEqual:
    return "{0} != {1}";
  case HostOperation::LessSigned:
    return "{0} < {1}";
  case HostOperation::LessEqualSigned:
    return "{0} <= {1}";
  case HostOperation::LessUnsigned:
    return "(uint64_t){0} < (uint64_t){1}";
  case HostOperation::LessEqualUnsigned:
    return "(uint64_t){0} <= (uint64_t){1}";
  case HostOperation::Select:
    return "{0} ? {1} : {2}";
  case HostOperation::ExtendUnsigned:
    return "(uint64_t){0} & {4}";
  }
  llvm_unreachable("no such operation");
}

std::string deploy::writeComputation(const HostStep &step) {
  std::string operands[3];
  for (auto [text, number] : zip(operands, step.operands))
    text = writeNumber(number);
  std::string mask =
      formatv("UINT64_C({0})", maskTrailingOnes<uint64_t>(step.bits));
  std::string value = formatv(getExpression(step.operation).data(), operands[0],
                              operands[1], operands[2], step.bits, mask);
  bool isExtension = step.operation == HostOperation::ExtendUnsigned;
  return formatv("{0}[{1}] = {2};", kNumbers, step.result,
                 writeWrapped(value, isExtension ? 64 : step.bits));
}
