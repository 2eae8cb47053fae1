"""A JupyterLab of our own in a real browser, for the tests that look at the lessons as a student does."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
SETTINGS = {
    # Otherwise cells far from the screen are not in the page at all.
    "notebook-extension/tracker": {"windowingMode": "none"},
    # Otherwise the first start asks whether to fetch news.
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
PATIENCE = 90_000


@contextmanager
def jupyterlab(notebooks: list[Path], folder: Path) -> Iterator[str]:
    """Serve copies of ``notebooks`` from ``folder``; gives the address, and ends the server afterwards."""
    root = folder / "files"
    root.mkdir()
    for notebook in notebooks:
        shutil.copy(notebook, root)
    for name, value in SETTINGS.items():
        path = folder / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    places = {"JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data",
              "JUPYTER_RUNTIME_DIR": "runtime", "IPYTHONDIR": "ipython"}  # fmt: skip
    env = {**os.environ, **{name: str(folder / place) for name, place in places.items()}}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={root}"]
    server = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        yield _address(server)
    finally:
        server.terminate()
        server.wait(timeout=30)
        server.stderr.close()


def _address(server: subprocess.Popen[str]) -> str:
    """Read the server's log until it says where it runs. (What it writes after that is far less than a pipe holds.)"""
    said = []
    for line in server.stderr:
        said.append(line)
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        if found:
            return found[0]
    raise RuntimeError("JupyterLab did not start:\n" + "".join(said[-20:]))


class Lesson:
    """A notebook open in JupyterLab."""

    def __init__(self, page: Page, address: str, name: str) -> None:
        self.page = page
        page.set_default_timeout(PATIENCE)
        page.goto(f"{address}/doc/tree/{name}?reset", wait_until="domcontentloaded")
        page.wait_for_selector(".jp-NotebookPanel .jp-Cell")
        page.get_by_text("| Idle").wait_for()  # earlier, the kernel is not connected, and cells would not run

    def run_all(self) -> None:
        """Run every cell, and wait until each has a number."""
        self.page.click(".lm-MenuBar-itemLabel:text-is('Run')")
        self.page.click(".lm-Menu-itemLabel:text-is('Run All Cells')")
        self.page.wait_for_function(
            "() => { const cells = [...document.querySelectorAll('.jp-CodeCell')]"
            ".filter(cell => cell.querySelector('.cm-content').innerText.trim());"
            r" return cells.every(c => /^\[\d+\]:$/.test(c.querySelector('.jp-InputPrompt').innerText.trim())) }"
        )

    def cell(self, words: str) -> Locator:
        """The code cell whose code contains ``words``."""
        return self.page.locator(".jp-CodeCell").filter(has=self.page.locator(".cm-content", has_text=words)).first

    def rewrite(self, cell: Locator, old: str, new: str) -> None:
        """Replace ``old`` by ``new`` in the code of a cell, as by typing, and run it."""
        editor = cell.locator(".cm-content")
        code = "\n".join(editor.locator(".cm-line").all_inner_texts()).replace("\n\n", "\n")
        assert code.count(old) == 1, code
        editor.click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(code.replace(old, new))
        self.page.keyboard.press("Control+Enter")

    def loud_outputs(self) -> list[str]:
        """The texts of error and stderr outputs."""
        kinds = ("error", "stderr")
        chosen = ",".join(f".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.{kind}']" for kind in kinds)
        return self.page.eval_on_selector_all(chosen, "found => found.map(output => output.innerText)")

    def descriptions(self) -> list[str]:
        """The alternative text of each figure."""
        return self.page.eval_on_selector_all(".jp-OutputArea img", "found => found.map(image => image.alt)")
