//===- ChoiceText.cpp - Choices in words ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChoiceText.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

std::string optimize::describe(const Choice &choice) {
  std::string text;
  for (const auto &[name, value] : choice)
    text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

std::string optimize::describe(const ChoiceMap &choices) {
  std::string text;
  for (const auto &[op, techniques] : choices)
    for (const auto &[technique, choice] : techniques)
      text += op + " " + technique + " " + describe(choice) + "\n";
  return text;
}
