// RUN: not mlir-prof-opt %s --pass-pipeline="builtin.module(func.func(gpu-choose-tiles{warpgroups=maybe}))" 2>&1 | FileCheck %s

// CHECK: 'maybe' is invalid value for boolean argument
