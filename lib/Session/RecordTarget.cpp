//===- RecordTarget.cpp - Recording a model on another machine ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/RecordTarget.h"
#include "mlir-prof/Deploy/Image.h"
#include "mlir-prof/Record/Emulator.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::record;

/// The functions that a model calls: neither its own nor the image's.
static std::vector<OtherFunction> getOthers(const deploy::Image &image) {
  std::vector<OtherFunction> others;
  for (const deploy::ImageFunction &function : image.functions)
    if (!llvm::StringRef(function.name).starts_with("image_"))
      others.push_back({function.name, function.begin, function.end});
  return others;
}

llvm::Expected<Profile> mlirprof::recordInEmulator(llvm::StringRef path,
                                                   TargetRequest request) {
  const codegen::TargetModel &target = request.compile.target;
  auto board = deploy::getBoard(target);
  if (!board)
    return board.takeError();
  auto built = readInput(path);
  if (!built)
    return built.takeError();
  auto requests =
      makeRequests(*built, request.compile.entry, request.inputs, {});
  if (!requests)
    return requests.takeError();
  if (llvm::Error error =
          compileInput(*built, path, request.compile, request.onNote))
    return std::move(error);
  auto image = deploy::makeImage(built->model, target, **board,
                                 requests->front(), request.calls);
  if (!image)
    return image.takeError();
  auto counts = countInstructions(deploy::getEmulator(**board, target),
                                  image->elf, request.seconds);
  if (!counts)
    return counts.takeError();
  Profile profile;
  if (llvm::Error error = addCounts(built->model, *counts, image->codeBegin,
                                    getOthers(*image), request.calls, profile))
    return std::move(error);
  profile.runs.back().source = path.str();
  return std::move(profile);
}
