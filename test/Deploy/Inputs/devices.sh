#!/bin/sh
# Deploys a model with dispatches on simulated devices, with each control that takes it,
# and compares the results with those of NumPy.
# usage: devices.sh MLIR_PROF PYTHON RUN_DEPLOYED FOLDER TARGET CONTROLS MODEL PLACES
#   --inputs FILE.npy... --expected FILE.npy...
set -e
tool=$1 python=$2 runner=$3 folder=$4 target=$5 controls=$6 model=$7 places=$8
shift 8
options=
for place in $places; do options="$options --place=$place"; done
set -f
for control in $controls; do
  package="$folder/$target-$control"
  # shellcheck disable=SC2086
  "$tool" deploy "$model" --target="$target" --control="$control" $options -o "$package" \
    >"$folder/log"
  echo "$control:"
  "$python" "$runner" "$package" "$@" --arena-fill 165
done
