//===- Dispatch.h - Op keys that are dispatches of IREE ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_DISPATCH_H
#define MLIR_PROF_PROFILE_DISPATCH_H

#include "mlir-prof/Profile/OpKey.h"

#include <optional>

namespace mlirprof::profile {

/// The scope of a dispatch, before the number of its command buffer.
inline constexpr llvm::StringLiteral kCommandBufferScope = "command buffer ";

/// The scope of a dispatch that a program gave to a queue by itself.
inline constexpr llvm::StringLiteral kNoCommandBuffer = "no command buffer";

/// The command buffer of a dispatch of IREE; nothing for other op keys. The
/// place of the dispatch among those in it is `key.call.ordinal`, and among all
/// commands `key.call.sequence`, -1 when unknown.
inline std::optional<uint64_t> getCommandBuffer(const OpKey &key) {
  uint64_t buffer;
  if (key.kind != OpKeyKind::FrameworkCall || key.call.scope.size() != 1)
    return std::nullopt;
  llvm::StringRef scope = key.call.scope.front();
  if (!scope.consume_front(kCommandBufferScope) ||
      scope.getAsInteger(10, buffer))
    return std::nullopt;
  return buffer;
}

/// Whether `key` is a dispatch of IREE.
inline bool isDispatch(const OpKey &key) {
  return getCommandBuffer(key) ||
         (key.kind == OpKeyKind::FrameworkCall && key.call.scope.size() == 1 &&
          key.call.scope.front() == kNoCommandBuffer);
}

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_DISPATCH_H
