#!/bin/sh
# Deploys the operators of operators.py for a target, and compares their results.
# usage: operators.sh MLIR_PROF PYTHON RUN_DEPLOYED FOLDER TARGET
set -e
for file in "$4"/*.mlir; do
  name=$(basename "$file" .mlir)
  "$1" deploy "$file" --target="$5" -o "$4/$5/$name" >"$4/log"
  printf '%s: ' "$name"
  "$2" "$3" "$4/$5/$name" --inputs "$4/$name-in.npy" --expected "$4/$name-out.npy"
done
