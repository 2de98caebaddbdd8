//===- Download.cpp - GET /profiles/{id}/download -------------------------===//
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
  Answer answer;
  answer.type = "application/octet-stream";
  answer.file = api.store.getPath(*profile);
  bool isReady = profile->state == ProfileState::Ready;
  answer.fileName = profile->id + (isReady ? ".mlprof" : ".bin");
  return answer;
}

Route route::Download() {
  Route route = {"GET",
                 "/profiles/{id}/download",
                 "The file: of a quarantined profile, as it was uploaded.",
                 {},
                 run};
  route.type = "application/octet-stream";
  return route;
}
