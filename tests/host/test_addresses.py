"""What stands before the app's own addresses."""

import subprocess
import sys

import pytest

from lastviz.host.workers import address_of, base_path


@pytest.mark.parametrize(("text", "path"), [
    ("", ""), ("/", ""), ("lastviz", "/lastviz"), ("/tools/lastviz/", "/tools/lastviz"),
    ("~ann/trees-1.0_b", "/~ann/trees-1.0_b"),
])  # fmt: skip
def test_a_base_path_is_taken_with_and_without_its_strokes(text, path):
    assert base_path(text) == path
    assert base_path(path) == path


@pytest.mark.parametrize("text", [
    "a//b", "..", "a/../b", ".hidden", "a b", "a?b", "a#b", "a%2f", "http://x", 'a"', "a\nb", "é",
])  # fmt: skip
def test_what_is_none_is_refused(text):
    with pytest.raises(ValueError, match="a base path is like tools/lastviz"):
        base_path(text)


def test_an_address_of_ipv6_stands_in_brackets():
    assert address_of("localhost", 8501) == "http://localhost:8501"
    assert address_of("::1", 80, "/tools") == "http://[::1]:80/tools"


@pytest.mark.parametrize("module", ["lastviz", "lastviz.serve"])
def test_a_command_says_what_is_wrong_with_a_base_path(module):
    done = subprocess.run(
        [sys.executable, "-m", module, "--base-path", "a b"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "a base path is like tools/lastviz, got 'a b'" in done.stderr
    assert "Traceback" not in done.stderr
