#!/bin/sh
# Deploys a model with each control that needs its dispatches, and compares the
# results with those of NumPy.
# usage: controls.sh MLIR_PROF PYTHON RUN_DEPLOYED FOLDER TARGET
set -e
tool=$1 python=$2 runner=$3 folder=$4 target=$5
run() { # CONTAINER CONTROL
  package="$folder/$target/$1-$2"
  "$tool" deploy "$folder/layers.mlir" --target="$target" --container="$1" --control="$2" \
    -o "$package" >"$folder/log"
  printf '%s %s: ' "$1" "$2"
  "$python" "$runner" "$package" --inputs "$folder/x.npy" "$folder/w.npy" \
    --expected "$folder/last.npy" "$folder/first.npy" --arena-fill 165
}
run static none
run static c
run static bytecode
