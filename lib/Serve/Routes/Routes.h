//===- Routes.h - The routes of the API -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_ROUTES_ROUTES_H
#define MLIR_PROF_LIB_SERVE_ROUTES_ROUTES_H

#include "../Api/Api.h"
#include "../Api/Sessions.h"
#include "mlir-prof/Diff/Diff.h"

namespace mlirprof::serve {

namespace route {
#define MLIRPROF_ROUTE(NAME) Route NAME();
#include "Routes.def"
} // namespace route

/// The members of a profile in lists; and those without "coverage".
void writeProfile(llvm::json::OStream &json, const StoredProfile &profile);
void writeProfileMembers(llvm::json::OStream &json,
                         const StoredProfile &profile);

/// The session of the request's profile, at the level of the parameter "level".
llvm::Expected<std::shared_ptr<OpenProfile>>
openRequested(Api &api, const Request &request);

/// The timeline of the request's profile; an error without events.
llvm::Expected<std::shared_ptr<const Timeline>>
openTimeline(Api &api, const Request &request);
/// Members of an event.
void writeEvent(llvm::json::OStream &json, const Timeline &timeline,
                const TimelineEvent &event);

/// The comparison of two profiles.
llvm::Expected<diff::ProfileDiff> compareProfiles(Api &api,
                                                  const StoredProfile &before,
                                                  const StoredProfile &after);

/// The levels of the lowering, input first.
std::vector<std::string> listLevels(const profile::Profile &profile);

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_ROUTES_ROUTES_H
