"""The kernel cache is not trusted if others can write to it, and only plain files of a kernel are read."""

import json
import os
import pickle
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import pytest

from noughts import notices
from noughts.compiled import build as building
from noughts.compiled import cache
from noughts.compiled.build import Plan, build
from noughts.compiled.cache import Untrusted
from noughts.errors import NoughtsError
from tests.command import Noughts
from tests.compiled.positions import native
from tests.compiled.test_cache import QUESTION, right

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows tells nothing of owners and modes")

SOMEBODY = 4321


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A private folder for a cache."""
    tmp_path.chmod(0o700)
    return tmp_path


@pytest.fixture
def kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A compiled kernel in its own cache."""
    kernel = native("tic-tac-toe")
    assert kernel.solver.bytes
    made = Plan(kernel.rules).folder
    monkeypatch.setenv("NOUGHTS_CACHE", str(home / "cache"))
    (home / "cache").mkdir(mode=0o700)
    shutil.copytree(made, home / "cache" / made.name)
    assert plan().is_kept()
    return home / "cache" / made.name


def plan() -> Plan:
    return Plan(native("tic-tac-toe").rules)


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a file to another user; without root, pretend that this process is another user."""
    if os.geteuid() == 0:
        os.chown(path, SOMEBODY, -1, follow_symlinks=False)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: SOMEBODY)


def test_a_folder_is_made_for_the_user_alone_whatever_the_umask(home: Path) -> None:
    for umask in (0, 0o022, 0o277):
        before = os.umask(umask)
        try:
            cache.make_cache(home / str(umask) / "deep" / "cache")
        finally:
            os.umask(before)
        for path in (home / str(umask), *(home / str(umask)).rglob("*")):
            assert stat.S_IMODE(path.stat().st_mode) == 0o700


UNSAFE: dict[str, tuple[dict[str, int], str]] = {
    "group": ({"cache": 0o770}, "others can write to {home}/cache; `chmod go-w {home}/cache` would end that"),
    "all": ({"cache": 0o707}, "others can write to {home}/cache;"),
    "all, sticky": ({"cache": 0o1777}, "others can write to {home}/cache;"),
    "its parent": ({".": 0o775}, "others can write to {home};"),
}


@pytest.mark.parametrize("case", UNSAFE)
def test_a_folder_that_others_can_write_to_is_refused(kept: Path, home: Path, case: str) -> None:
    modes, complaint = UNSAFE[case]
    for name, mode in modes.items():
        (home / name).chmod(mode)
    with pytest.raises(Untrusted) as refused:
        cache.make_cache(home / "cache")
    assert str(refused.value).startswith(complaint.replace("{home}", str(home)))
    assert not plan().is_kept()


def test_a_sticky_folder_on_the_way_is_safe_if_the_user_owns_the_entry(
    kept: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Like /tmp: everybody can write, but only owners can rename."""
    home.chmod(0o1777)
    assert plan().is_kept()
    give_away(home / "cache", monkeypatch)
    assert not plan().is_kept()


@pytest.mark.parametrize("what", ["cache", ".", "cache/kernel", "cache/kernel/__pycache__", "cache/kernel/kernel.py"])
def test_files_of_another_user_are_refused(kept: Path, home: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    give_away(home / what.replace("kernel", kept.name, 1), monkeypatch)
    assert not plan().is_kept()
    if "kernel" not in what:
        with pytest.raises(Untrusted, match=r"belongs to another user \(number \d+\); choose a folder of your own"):
            cache.make_cache(home / "cache")


@pytest.mark.parametrize("what", ["", "__pycache__", "kernel.py", "checksums.json"])
def test_a_kernel_that_others_can_write_to_is_refused(kept: Path, what: str) -> None:
    (kept / what).chmod(0o770)
    assert not plan().is_kept()


def test_links_are_followed_and_every_folder_on_the_way_is_checked(
    kept: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = home / "away"
    away.mkdir(mode=0o700)
    (home / "cache").rename(away / "real")
    (home / "cache").symlink_to("away/../away/real")
    assert plan().is_kept()
    away.chmod(0o770)
    with pytest.raises(Untrusted, match=r"others can write to .*away;"):
        cache.check_trusted(home / "cache")
    away.chmod(0o700)
    (home / "cache").unlink()
    (home / "cache").symlink_to(away / "real")
    assert plan().is_kept()
    home.chmod(0o1777)
    assert plan().is_kept()
    give_away(home / "cache", monkeypatch)
    with pytest.raises(Untrusted, match="cache belongs to another user"):
        cache.check_trusted(home / "cache")


def test_links_that_lead_in_a_circle_are_refused(home: Path) -> None:
    (home / "one").symlink_to("two")
    (home / "two").symlink_to("one")
    with pytest.raises(Untrusted, match="too many symbolic links"):
        cache.make_cache(home / "one" / "cache")


def fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def link(path: Path) -> None:
    path.rename(path.parent.parent / "elsewhere")
    path.symlink_to(path.parent.parent / "elsewhere")


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def huge(path: Path) -> None:
    os.truncate(path, cache.MOST_BYTES + 1)


@pytest.mark.parametrize("make", [fifo, link, folder, huge])
@pytest.mark.parametrize("name", ["kernel.py", "checksums.json", "*.nbi"])
def test_nothing_but_plain_files_is_read(kept: Path, make: Callable[[Path], None], name: str) -> None:
    """Reading a pipe would block, a link leads elsewhere, and a huge file would fill the memory."""
    make(next(kept.rglob(name)))
    assert not plan().is_kept()


@pytest.mark.parametrize("name", ["more.py", "__pycache__/more.nbi", "__pycache__/more.pyc", "more/", "__pycache__/x/"])
def test_a_file_that_is_not_listed_is_refused(kept: Path, name: str) -> None:
    if name.endswith("/"):
        (kept / name).mkdir(mode=0o700)
    else:
        (kept / name).write_bytes(b"")
    assert not plan().is_kept()


def test_a_kernel_with_very_many_files_is_refused(kept: Path) -> None:
    for number in range(cache.MOST_FILES + 1):
        (kept / f"{number}.py").write_bytes(b"")
    assert not plan().is_kept()


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 900 + "]" * 900])
def test_a_deep_list_of_checksums_is_refused(kept: Path, text: str) -> None:
    (kept / "checksums.json").write_text(text, encoding="utf-8")
    assert not plan().is_kept()


class Planted:
    """An object whose pickle creates a file when it is loaded."""

    def __init__(self, marker: Path) -> None:
        self._marker = marker

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return os.mkdir, (str(self._marker),)


def test_code_that_another_user_planted_is_not_run(
    noughts_command: str, clean_env: dict[str, str], kept: Path, home: Path
) -> None:
    """Its checksums are valid. A kernel without files answers instead, one line says why, and no file is touched."""
    for path in kept.rglob("*.nbi"):
        path.write_bytes(pickle.dumps(Planted(home / "planted")))
    names = json.loads((kept / "checksums.json").read_text(encoding="utf-8"))
    listed = {name: sha256((kept / name).read_bytes()).hexdigest() for name in names}
    (kept / "checksums.json").write_text(json.dumps(listed), encoding="utf-8")
    assert plan().is_kept()
    (home / "cache").chmod(0o777)
    before = sorted((str(path), path.stat().st_mtime_ns) for path in (home / "cache").rglob("*"))
    done = Noughts(noughts_command, {**clean_env, "NOUGHTS_CACHE": str(home / "cache")})(*QUESTION)
    right(done, f"others can write to {home}/cache; `chmod go-w {home}/cache` would end that (")
    assert not (home / "planted").exists()
    assert sorted((str(path), path.stat().st_mtime_ns) for path in (home / "cache").rglob("*")) == before


@pytest.fixture
def not_compiled(monkeypatch: pytest.MonkeyPatch) -> list[Path | None]:
    """Replaces compiling; lists the folders in which a kernel would have been compiled."""
    where: list[Path | None] = []

    def load(folder: Path | None, plan: Plan, fresh: bool) -> ModuleType:
        where.append(folder)
        if folder is not None:
            (folder / "__pycache__").mkdir()
        return ModuleType("kernel")

    monkeypatch.setattr(building, "_load", load)
    monkeypatch.setattr(Plan, "loaded", None)
    monkeypatch.setattr(notices, "_told", set())
    return where


def test_the_notice_is_given_once_in_a_process(kept: Path, home: Path, not_compiled: list[Path | None]) -> None:
    (home / "cache").chmod(0o777)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(3):
            build(plan(), announce=lambda _: None)
    assert [each.category for each in told] == [notices.SlowerSearch]
    assert told[0].filename == __file__
    assert not_compiled == [None, None, None]


def test_a_refused_kernel_is_rebuilt(kept: Path, home: Path, not_compiled: list[Path | None]) -> None:
    """It is rebuilt in a private folder; links are removed, but not what they lead to."""
    kept.rename(home / "elsewhere")
    kept.symlink_to(home / "elsewhere")
    build(plan(), announce=lambda _: None)
    (made,) = not_compiled
    assert made is not None
    assert made.parent.parent == home / "cache"
    assert (home / "elsewhere" / "kernel.py").exists()
    assert not kept.is_symlink()
    assert sorted(os.listdir(home / "cache")) == [kept.name]


HOLDS = """
import sys
from pathlib import Path
from noughts.compiled.cache import folder_to_make_in
with folder_to_make_in(Path(sys.argv[1])) as folder:
    (folder / ("0" * 32)).mkdir()
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def maker(home: Path) -> Iterator["subprocess.Popen[str]"]:
    """A process that is compiling a kernel."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    yield process
    process.kill()
    process.communicate()


def test_leftovers_of_dead_processes_are_removed_and_never_those_of_live_ones(
    home: Path, maker: "subprocess.Popen[str]"
) -> None:
    assert maker.stdout is not None
    making = Path(maker.stdout.readline().strip())
    assert stat.S_IMODE(making.stat().st_mode) == 0o700
    with cache.folder_to_make_in(home) as ours:
        assert making.is_dir()
        assert ours != making
        with cache.folder_to_make_in(home):
            assert ours.is_dir(), "nor our own"
    maker.send_signal(signal.SIGKILL)
    maker.wait()
    assert making.is_dir()
    with cache.folder_to_make_in(home):
        assert not making.exists()
    assert os.listdir(home) == []


def test_only_our_own_leftovers_are_removed(home: Path) -> None:
    """Leftovers of earlier versions have no lock. A user whose home is the cache folder loses nothing else."""
    for name in ("making-abcd1234", "making-aaaaaaaa", "making-movies__", "making-bread"):
        (home / name).mkdir()
    (home / "making-abcd1234" / ("f" * 32)).mkdir()
    (home / "making-abcd1234" / ("f" * 32) / "rules.py").touch()
    (home / "making-movies__" / "one.mp4").touch()
    (home / "making-linked__").symlink_to(home / "making-movies__")
    with cache.folder_to_make_in(home):
        pass
    assert sorted(os.listdir(home)) == ["making-bread", "making-linked__", "making-movies__"]
    assert (home / "making-movies__" / "one.mp4").exists()


def test_a_folder_that_was_taken_for_a_leftover_is_made_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process may remove it after it is made and before it is locked."""
    made: list[str] = []
    mkdtemp = tempfile.mkdtemp

    def taken(**options: str) -> str:
        made.append(mkdtemp(**options))
        if len(made) == 1:
            cache._remove_leftover(Path(made[0]))
            assert not Path(made[0]).exists()
        return made[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", taken)
    with cache.folder_to_make_in(home) as folder:
        assert str(folder) == made[1]
        assert folder.is_dir()


def test_kernels_do_not_grow_without_limit(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The most recently used are kept, with room for the new one; other files are left alone."""
    monkeypatch.setattr(cache, "MOST_KEPT", 3)
    kernels = [home / f"{number:032x}" for number in range(5)]
    for number, kernel in enumerate(kernels):
        kernel.mkdir()
        (kernel / "checksums.json").touch()
        os.utime(kernel, (number, number))
    (home / ("e" * 32)).mkdir()  # not a kernel
    cache.mark_used(kernels[0])
    with cache.folder_to_make_in(home):
        assert [kernel.exists() for kernel in kernels] == [True, False, False, False, True]
    assert (home / ("e" * 32)).exists()


def test_errors_are_not_taken_for_a_refusal(not_compiled: list[Path | None], monkeypatch: pytest.MonkeyPatch) -> None:
    def load(folder: Path | None, plan: Plan, fresh: bool) -> ModuleType:
        raise NoughtsError("cannot be compiled")

    monkeypatch.setattr(building, "_load", load)
    with pytest.raises(NoughtsError, match="cannot be compiled"):
        build(plan(), announce=lambda _: None)
