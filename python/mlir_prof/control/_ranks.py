# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which process of which job this is."""

import datetime
import os
import re

#: Variables of launchers: the rank and the number of processes.
RANKS = [("RANK", "WORLD_SIZE"),  # torchrun
         ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
         ("PMI_RANK", "PMI_SIZE"),
         ("PADDLE_TRAINER_ID", "PADDLE_TRAINERS_NUM"),
         ("RANK_ID", "RANK_SIZE"),  # MindSpore
         ("SLURM_PROCID", "SLURM_NTASKS")]

#: Variables that all processes of a job share, and no other job has.
JOBS = ["MLIR_PROF_JOB", "TORCHELASTIC_RUN_ID", "SLURM_JOB_ID", "PMIX_NAMESPACE",
        "OMPI_MCA_ess_base_jobid", "PBS_JOBID", "LSB_JOBID"]


def _read_number(name):
    text = os.environ.get(name, "")
    return int(text) if re.fullmatch(r"\d+", text) else None


def find_rank(controllers):
    """The rank of this process and the number of processes: as a framework has
    it, else as the launcher says, else 0 of 1."""
    for controller in controllers:
        found = controller.get_rank()
        if found is not None and found[1] > 1:
            return found
    for rank, size in RANKS:
        if _read_number(rank) is not None:
            number = _read_number(rank)
            return number, max(_read_number(size) or 1, number + 1)
    return 0, 1


def find_job():
    """The job's name in the launcher's variables, or None."""
    for name in JOBS:
        value = os.environ.get(name, "")
        if value and value != "none":  # torchrun's default
            # The name of a folder.
            return re.sub(r"[^\w.+-]", "_", value).lstrip(".") or None
    return None


def make_job():
    """A name for a job of one process, which no other has."""
    time = datetime.datetime.now(datetime.timezone.utc)
    return f"{time:%Y%m%d-%H%M%S.%f}-{os.getpid()}"
