"""Components of a release as a CycloneDX list (SBOM), for whoever checks what a server runs.

``make components`` writes it: the Python packages of ``requirements.lock`` with their hashes, as
cyclonedx-bom reads them, and the scripts that this package carries along.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from lastviz.plots import plotlyjs

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "lastviz.cdx.json"
PACKED = ROOT / "lastviz" / "ui" / "components" / "packed.js"


def scripts() -> dict[str, str]:
    """Names at npm of the scripts that the package carries, with their versions."""
    fflate = re.search(r"fflate v?(\d+\.\d+\.\d+)", PACKED.read_text(encoding="utf-8"))
    return {"plotly.js-cartesian-dist-min": plotlyjs.VERSION, "fflate": fflate[1]}


def with_scripts(bom: dict) -> dict:
    """CycloneDX list with the scripts of the package among its components."""
    carried = [
        {
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:npm/{name}@{version}",
            "bom-ref": f"pkg:npm/{name}@{version}",
            "licenses": [{"license": {"id": "MIT"}}],
        }
        for name, version in scripts().items()
    ]
    return bom | {"components": [*bom.get("components", []), *carried]}


def main() -> None:
    """Write the list beside the lock file."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "packages.json")
        tool = [sys.executable, "-m", "cyclonedx_py", "requirements", "requirements.lock"]
        about = ["--pyproject", "pyproject.toml", "--output-reproducible", "--of", "JSON"]
        subprocess.run([*tool, *about, "-o", str(made)], cwd=ROOT, check=True)
        bom = with_scripts(json.loads(made.read_text(encoding="utf-8")))
    FILE.write_text(json.dumps(bom, indent=1) + "\n", encoding="utf-8")
    print(f"{FILE.name}: {len(bom['components'])} components")


if __name__ == "__main__":
    main()
