//===- PackageName.cpp - The name of a package's functions ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackageName.h"
#include "Options.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;

/// Keywords of C and C++, and functions that programs with a model have.
static constexpr llvm::StringLiteral kReservedNames[] = {
    "alignas",      "alignof",  "and",           "and_eq",
    "asm",          "auto",     "bitand",        "bitor",
    "bool",         "break",    "case",          "catch",
    "char",         "char16_t", "char32_t",      "class",
    "compl",        "const",    "const_cast",    "constexpr",
    "continue",     "decltype", "default",       "delete",
    "do",           "double",   "dynamic_cast",  "else",
    "enum",         "explicit", "export",        "extern",
    "false",        "float",    "for",           "friend",
    "goto",         "if",       "inline",        "int",
    "long",         "mutable",  "namespace",     "new",
    "noexcept",     "not",      "not_eq",        "nullptr",
    "operator",     "or",       "or_eq",         "private",
    "protected",    "public",   "register",      "reinterpret_cast",
    "restrict",     "return",   "short",         "signed",
    "sizeof",       "static",   "static_assert", "static_cast",
    "struct",       "switch",   "template",      "this",
    "thread_local", "throw",    "true",          "try",
    "typedef",      "typeid",   "typename",      "union",
    "unsigned",     "using",    "virtual",       "void",
    "volatile",     "wchar_t",  "while",         "xor",
    "xor_eq",       "main",     "memcpy",        "memmove",
    "memset"};

llvm::Error mlirprof::getPackageName(const llvm::opt::InputArgList &arguments,
                                     std::string &name) {
  name = arguments.getLastArgValue(OPT_name_EQ, name).str();
  bool isGood =
      !name.empty() && !llvm::isDigit(name.front()) &&
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isGood)
    return usageError("'--name=" + name +
                      "' is not an identifier of C, such as kws");
  if (llvm::is_contained(kReservedNames, name))
    return usageError("'--name=" + name +
                      "' has a meaning of its own in C or C++");
  return llvm::Error::success();
}
