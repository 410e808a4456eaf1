"""A folder that a stranger wrote, as the working folder."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_modules_in_a_strangers_folder_are_not_imported(tmp_path: Path) -> None:
    """An editor starts us in whatever folder is opened, and Python looks there first by default."""
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "a.yaml").write_text("theorem: a/b\nsymbols: {x: real}\nclaims: {c: {says: x >= 0}}\n")
    for name in ("multiprocessing", "signal", "random", "flint", "verifier"):
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'imported')!r}, 'a').write({name!r})\n")
    script = tmp_path / "verify.py"  # as an installed command: the folder of the script is on the path
    script.write_text("import sys\nfrom verifier.cli import main\nsys.exit(main())\n")
    done = subprocess.run(
        [sys.executable, str(script), "a.yaml", "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert not (tmp_path / "imported").exists(), (tmp_path / "imported").read_text()
    assert "1 fails" in done.stdout, done.stderr
