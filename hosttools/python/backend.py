"""Builds the wheel of pip install . with CMake: PEP 517, of Python's own library alone, so that it
works without a network. pip calls it; `python3 hosttools/python/backend.py FOLDER` does the same.

A build in build/host that is for the same interpreter is used and only completed; otherwise
build/python-X.Y is made, and stays, so that the next one is short. LOCKSTEP_CMAKE_ARGS are handed to
CMake, CMAKE_BUILD_PARALLEL_LEVEL says how many compilers run at once.
"""

import base64
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

NAME = "lockstep"
ROOT = Path(__file__).resolve().parents[2]


def version():
    return re.search(r"project\(lockstep VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def fail(text):
    sys.exit(f"pip install lockstep: {text}")


def tag():
    cpython = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"{cpython}-{cpython}-{platform}"


def metadata():
    lines = [
        "Metadata-Version: 2.1",
        "Name: lockstep",
        f"Version: {version()}",
        "Summary: Robot dynamics in linear time, from a URDF to a microcontroller",
        "License: Apache-2.0",
        "Requires-Python: >=3.9",
        "Requires-Dist: numpy",
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / "docs/python.md").read_text(),
    ]
    return "\n".join(lines)


def get_requires_for_build_wheel(config_settings=None):
    """pybind11's headers are those of the system, or come with pip."""
    include = [Path("/usr/include"), Path("/usr/local/include"), Path(sysconfig.get_path("include"))]
    return [] if any((i / "pybind11/pybind11.h").exists() for i in include) else ["pybind11"]


def configure_arguments():
    arguments = [f"-DPython_EXECUTABLE={sys.executable}", "-DBUILD_TESTING=OFF"]
    arguments += ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG"]
    try:
        import pybind11
        arguments.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
    except ImportError:
        pass  # CMake looks for the system's
    return arguments + shlex.split(os.environ.get("LOCKSTEP_CMAKE_ARGS", ""))


def run(command):
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        fail(f"needs {command[0]}; toolchain/setup --python installs it")
    except subprocess.CalledProcessError as error:
        fail(f"{Path(command[0]).name} failed, see above; on Debian toolchain/setup --python "
             f"installs what is needed (exit code {error.returncode})")


def host_build():
    """The build that the demo makes, if its module is for this interpreter."""
    cache = ROOT / "build/host/CMakeCache.txt"
    found = re.search(r"^LOCKSTEP_PYTHON:INTERNAL=(.+)$",
                      cache.read_text() if cache.exists() else "", re.MULTILINE)
    same = found and os.path.realpath(found.group(1)) == os.path.realpath(sys.executable)
    return cache.parent if same else None


def build_module():
    build = host_build()
    if build is None:
        build = ROOT / "build" / f"python-{sys.version_info.major}.{sys.version_info.minor}"
        configure(build)
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
    run(["cmake", "--build", str(build), "--target", "lockstep_python", "--parallel", jobs])
    return build / "python" / "lockstep"


def configure(build):
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        fail(f"{sys.executable} has no headers (Python.h); install them, on Debian python3-dev")
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run(["cmake", "-S", str(ROOT), "-B", str(build), *generator, *configure_arguments()])


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = build_module()
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    info = f"{NAME}-{version()}.dist-info"
    files = {
        f"lockstep/{name}": (package / name).read_bytes()
        for name in ["__init__.py", "_native.pyi", "py.typed", f"_native{suffix}"]
    }
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: lockstep\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode())
    record = f"{info}/RECORD"
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}")
    files[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    wheel = f"{NAME}-{version()}-{tag()}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():  # without times: the same wheel from the same files
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    fail("a source archive is the repository's; give pip a folder or a wheel")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: backend.py FOLDER_FOR_THE_WHEEL")
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    print(build_wheel(sys.argv[1]))
