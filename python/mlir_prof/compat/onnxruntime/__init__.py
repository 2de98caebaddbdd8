# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The interface of ONNX Runtime on compiled models: `import
mlir_prof.compat.onnxruntime as onnxruntime` is all that a program changes."""

import enum

from ..._onnx_session import InferenceSession, ModelMetadata, NodeArg
from ..._onnx_values import IOBinding, OrtValue, SessionOptions

__all__ = ["ExecutionMode", "GraphOptimizationLevel", "InferenceSession", "IOBinding",
           "ModelMetadata", "NodeArg", "OrtValue", "RunOptions", "SessionOptions",
           "get_all_providers", "get_available_providers", "get_device",
           "set_default_logger_severity", "set_seed"]


class GraphOptimizationLevel(enum.Enum):
    """Levels that ONNX Runtime has; the compiler always optimizes."""

    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_LAYOUT = 3
    ORT_ENABLE_ALL = 99


class ExecutionMode(enum.Enum):
    """Orders in which ONNX Runtime runs operators."""

    ORT_SEQUENTIAL = 0
    ORT_PARALLEL = 1


class RunOptions:
    """Options of a run, which are kept and change nothing."""

    def __init__(self):
        self.log_severity_level, self.log_verbosity_level = -1, 0
        self.logid, self.only_execute_path_to_fetches = "", False
        self._entries = {}

    def add_run_config_entry(self, key, value):
        """Keeps an entry."""
        self._entries[key] = value

    def get_run_config_entry(self, key):
        """The entry of that key."""
        return self._entries[key]


def get_available_providers():
    """The devices of models: the processor."""
    return ["CPUExecutionProvider"]


get_all_providers = get_available_providers


def get_device():
    """The kind of the device."""
    return "CPU"


def set_default_logger_severity(severity):
    """Sets the level of the logger `mlir_prof`: 0 all, 2 warnings, 4 nothing."""
    import logging
    logging.getLogger("mlir_prof").setLevel(10 * (severity + 1))


def set_seed(seed):
    """Nothing: models are not random."""
