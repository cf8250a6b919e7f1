"""What a reader of the figures has to know about the machine."""

import os
import platform
import re
import subprocess
from pathlib import Path


def output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True,
                              env={**os.environ, "LC_ALL": "C"}).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def found(pattern, text):
    match = re.search(pattern, text, re.MULTILINE)
    return match.group(1).strip() if match else None


def memory():
    total = found(r"^MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())
    return int(total) * 1024 if total else None


def facts(build):
    cpu = output("lscpu")
    cache = (build / "CMakeCache.txt").read_text()
    system = Path("/etc/os-release")
    return {
        "cpu": found(r"^Model name:\s*(.*)", cpu) or platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "l2": found(r"^L2 cache:\s*([^(\n]*)", cpu),
        "l3": found(r"^L3 cache:\s*([^(\n]*)", cpu),
        "memory": memory(),
        "virtual": found(r"^Hypervisor vendor:\s*(.*)", cpu) is not None,
        "gpus": [line.strip() for line in output("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").splitlines()],
        "system": found(r'^PRETTY_NAME="?([^"\n]*)', system.read_text() if system.exists() else "") or platform.system(),
        "compiler": output(found(r"^CMAKE_C_COMPILER:[^=]*=(.*)", cache) or "cc", "--version").split("\n")[0],
        "starpu": found(r"^STARRAY_STARPU_FOUND_VERSION:[^=]*=(.*)", cache),
        "openblas": output("pkg-config", "--modversion", "openblas").strip() or None,
    }
