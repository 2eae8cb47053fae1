"""What a sandbox may read: the interpreter, the installed packages, and what the grader gives."""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

GRADER = Path("/grader")
"""Where a sandbox with a file system of its own sees what it may read; a text shown never has another place."""

SYSTEM = tuple(
    Path(top, name)
    for top in ("/", "/usr", "/usr/local")
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libexec", "share")
    if (top, name) not in {("/", "libexec"), ("/", "share")}
)
"""Not all of /usr: a course may well lie in /usr/src."""


@dataclass(frozen=True, slots=True)
class Interior:
    """Places outside and what they are called inside. All paths outside are free of links."""

    interpreter: Path
    prefix: Path
    """Of the interpreter itself, not of an environment made from it."""
    site: tuple[Path, ...]
    """The folders of installed packages, in the order in which this process looks into them."""
    packages: tuple[tuple[str, Path], ...]
    """The packages that the grader gives: name, folder."""

    @classmethod
    def of_this_python(cls, packages: Sequence[str]) -> Interior:
        """This interpreter with its installed packages, and ``packages`` from wherever they lie.

        An environment counts by its folder of packages alone, so that one inside the course does not bring the
        course along.
        """
        given = [("sandbox", Path(__file__).parent)]
        for name in packages:
            spec = importlib.util.find_spec(name)
            if spec is not None and spec.submodule_search_locations:
                given.append((name, Path(next(iter(spec.submodule_search_locations))).resolve()))
        folders = (Path(place) for place in sys.path)
        site = dict.fromkeys(
            folder.resolve() for folder in folders if folder.name in ("site-packages", "dist-packages")
        )
        executable = getattr(sys, "_base_executable", None) or sys.executable
        return cls(Path(executable).resolve(), Path(sys.base_prefix).resolve(), tuple(site), tuple(given))

    @property
    def of_the_system(self) -> bool:
        """Whether the interpreter came with the system: then it lies among the system's own files."""
        return _of_the_system(self.interpreter)

    def libraries(self) -> tuple[Path, ...]:
        """The interpreter's folders that are not the system's."""
        if self.of_the_system:
            return ()
        folders = (self.prefix / name for name in ("lib", "lib64"))
        return tuple(folder for folder in folders if folder.is_dir() and not folder.is_symlink())

    def inside(self, place: Path) -> Path:
        """What a place outside is called inside, where the sandbox has a file system of its own."""
        if _of_the_system(place):
            return place
        for name, folder in self.packages:
            if place.is_relative_to(folder):
                return GRADER / name / place.relative_to(folder)
        if place.is_relative_to(self.prefix):
            return GRADER / "python" / place.relative_to(self.prefix)
        for number, folder in enumerate(self.site):
            if place.is_relative_to(folder):
                return GRADER / f"packages-{number}" / place.relative_to(folder)
        return place

    def places(self) -> tuple[Path, ...]:
        """All that must be readable besides the system's own files, none of it twice."""
        wanted = [self.interpreter, *self.libraries(), *self.site, *(folder for _, folder in self.packages)]
        return tuple(
            place
            for place in dict.fromkeys(wanted)
            if not _of_the_system(place) and not any(place != other and place.is_relative_to(other) for other in wanted)
        )

    def names(self) -> tuple[tuple[str, str], ...]:
        """Pairs of (place outside, name inside) as texts, the longest first: for hiding the machine's own paths."""
        home = Path("~").expanduser()
        pairs = {str(place): str(self.inside(place)) for place in self.places()}
        pairs |= {str(self.prefix): str(GRADER / "python"), sys.prefix: str(GRADER / "python"), str(home): "~"}
        pairs |= {str(Path.cwd()): "."}
        safe = {place: name for place, name in pairs.items() if place.count(os.sep) > 1 and place != name}
        return tuple(sorted(safe.items(), key=lambda pair: -len(pair[0])))

    def environment(self, *, moved: bool, home: str) -> dict[str, str]:
        """All that the sandbox gets of an environment: nothing of the grader's own."""
        own = {
            "PATH": "/usr/bin:/bin",
            "HOME": home,
            "LANG": "C.UTF-8",
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
            "IPYTHONDIR": f"{home}/ipython",
            "MPLCONFIGDIR": f"{home}/matplotlib",
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        }
        if sysconfig.get_config_var("Py_ENABLE_SHARED") and not self.of_the_system:
            own["LD_LIBRARY_PATH"] = ":".join(str(self.inside(lib) if moved else lib) for lib in self.libraries())
        return own


def _of_the_system(place: Path) -> bool:
    return any(place.is_relative_to(folder) for folder in SYSTEM)
