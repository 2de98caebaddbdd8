//===- SerialLoops.cpp - OpenMP on one thread -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SerialLoops.h"
#include "mlir-prof/Compile/Backend.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;

/// Functions that do nothing, or return a constant.
static constexpr StringLiteral kConstants = R"(
define i32 @__kmpc_global_thread_num(ptr) { ret i32 0 }
define i32 @omp_get_thread_num() { ret i32 0 }
define i32 @omp_get_num_threads() { ret i32 1 }
define i32 @omp_get_max_threads() { ret i32 1 }
define i32 @omp_in_parallel() { ret i32 0 }
define void @__kmpc_push_num_threads(ptr, i32, i32) { ret void }
define void @__kmpc_serialized_parallel(ptr, i32) { ret void }
define void @__kmpc_end_serialized_parallel(ptr, i32) { ret void }
define void @__kmpc_barrier(ptr, i32) { ret void }
define i32 @__kmpc_cancel_barrier(ptr, i32) { ret i32 0 }
define void @__kmpc_flush(ptr) { ret void }
define i32 @__kmpc_single(ptr, i32) { ret i32 1 }
define void @__kmpc_end_single(ptr, i32) { ret void }
define i32 @__kmpc_master(ptr, i32) { ret i32 1 }
define void @__kmpc_end_master(ptr, i32) { ret void }
define i32 @__kmpc_masked(ptr, i32, i32) { ret i32 1 }
define void @__kmpc_end_masked(ptr, i32) { ret void }
define void @__kmpc_critical(ptr, i32, ptr) { ret void }
define void @__kmpc_critical_with_hint(ptr, i32, ptr, i32) { ret void }
define void @__kmpc_end_critical(ptr, i32, ptr) { ret void }
define i32 @__kmpc_reduce(ptr, i32, i32, i64, ptr, ptr, ptr) { ret i32 1 }
define void @__kmpc_end_reduce(ptr, i32, ptr) { ret void }
define i32 @__kmpc_reduce_nowait(ptr, i32, i32, i64, ptr, ptr, ptr) {
  ret i32 1
}
define void @__kmpc_end_reduce_nowait(ptr, i32, ptr) { ret void }
define void @__kmpc_for_static_fini(ptr, i32) { ret void }
)";

/// LLVM passes what a region uses by one address, if at all.
static constexpr StringLiteral kFork = R"(
declare void @abort()
define void @__kmpc_fork_call(ptr, i32 %count, ptr %region, ptr %values) {
  %fits = icmp ule i32 %count, 1
  br i1 %fits, label %run, label %fail
run:
  %thread = alloca i32
  store i32 0, ptr %thread
  call void %region(ptr %thread, ptr %thread, ptr %values)
  ret void
fail:
  call void @abort()
  unreachable
}
)";

/// The thread runs all of a loop, which is the last part, too.
static std::string defineLoop(StringRef suffix, StringRef type) {
  std::string text = R"(
define void @__kmpc_for_static_init_SUFFIX(ptr, i32, i32, ptr %last, ptr %lower,
    ptr %upper, ptr %stride, TYPE, TYPE) {
  store i32 1, ptr %last
  %begin = load TYPE, ptr %lower
  %end = load TYPE, ptr %upper
  %distance = sub TYPE %end, %begin
  %size = add TYPE %distance, 1
  store TYPE %size, ptr %stride
  ret void
}
)";
  for (auto [name, value] : {std::pair(StringRef("SUFFIX"), suffix),
                             std::pair(StringRef("TYPE"), type)})
    for (size_t at; (at = text.find(name.str())) != std::string::npos;)
      text.replace(at, name.size(), value.str());
  return text;
}

Expected<std::string>
compile::emitSerialLoops(const codegen::TargetModel &target) {
  std::string text = kConstants.str() + kFork.str();
  for (StringRef sign : {"", "u"})
    text += defineLoop("4" + sign.str(), "i32") +
            defineLoop("8" + sign.str(), "i64");
  BackendOptions options;
  options.target = target;
  return emitAssembly(text, options);
}
