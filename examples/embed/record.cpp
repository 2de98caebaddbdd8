//===- record.cpp - Records a model and writes its profile --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Record.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: record MODEL PROFILE\n";
    return 2;
  }
  mlirprof::RecordRequest request = mlirprof::getDefaultRecordRequest();
  request.run.seconds = 0.5;
  request.onNote = [](llvm::StringRef text) { llvm::errs() << text << '\n'; };
  auto profile = mlirprof::recordModel(argv[1], request);
  if (!profile) {
    llvm::errs() << llvm::toString(profile.takeError()) << '\n';
    return 1;
  }
  if (llvm::Error error = mlirprof::saveProfile(
          *profile, mlirprof::ProfileForm::Binary, argv[2])) {
    llvm::errs() << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  llvm::outs() << profile->runs.front().iterations.count << " iterations\n";
  return 0;
}
