//===- DeleteProfile.cpp - DELETE /profiles/{id} --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"

using namespace mlirprof;
using namespace mlirprof::serve;

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  auto profile = findProfile(api, request, AnyState::Yes);
  if (!profile)
    return profile.takeError();
  if (llvm::Error error = api.store.remove(*profile))
    return std::move(error);
  api.sessions.drop(profile->id);
  return makeJson(
      [&](llvm::json::OStream &json) { json.attribute("id", profile->id); });
}

Route route::DeleteProfile() {
  return {
      "DELETE", "/profiles/{id}", "Delete a profile and its file.", {}, run};
}
