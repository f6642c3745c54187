"""Which address is handed on, by where the page was opened and where the server listens."""

from itertools import product

import pytest

from lastviz.host.security import Reach, for_others
from lastviz.ui.shared import scene_box as words

HERE = [
    "localhost", "LocalHost", "localhost.", "127.0.0.1", "127.0.1.7", "[::1]", "lastviz.localhost",
    "[::ffff:127.0.0.1]", "0.0.0.0", "[::]",
]  # fmt: skip
ELSEWHERE = [
    "trees.example.org", "192.168.0.7", "[fe80::1]", "localhost.example.org", "notlocalhost",
    "[::ffff:10.0.0.3]",
]  # fmt: skip
EVERYWHERE = [None, "", "0.0.0.0", "::", "[::]", "::0"]
MACHINE = ["localhost", "LOCALHOST", "127.0.0.1", "::1", "[::1]", "::ffff:127.0.0.1"]
ENDS = ["/data?data=iris", "/tools/lastviz/quiz?room=ABCDEF#here", "/"]


def opened(host, served, own="192.168.0.9", scheme="http", port=":8501", end=ENDS[0]):
    where, reach = for_others(f"{scheme}://{host}{port}{end}", served, lambda: own)
    return where.geturl(), reach


@pytest.mark.parametrize(("host", "end"), [*product(HERE, ENDS)])
@pytest.mark.parametrize("served", EVERYWHERE)
def test_the_address_of_the_network_stands_for_localhost_where_others_can_come_in(
    host, end, served
):
    path = end.partition("?")[0]
    found = opened(host, served, end=end)
    assert found == (f"http://192.168.0.9:8501{path}", Reach.OTHERS)
    found = opened(host, served, own="fd00::9", scheme="https", port="", end=end)
    assert found == (f"https://[fd00::9]{path}", Reach.OTHERS)
    for own in (None, "127.0.1.1", "::1"):
        assert opened(host, served, own=own)[1] is Reach.UNKNOWN


@pytest.mark.parametrize("host", HERE)
def test_a_server_that_answers_its_own_machine_alone_says_so(host):
    for served in MACHINE:
        url, reach = opened(host, served)
        assert reach is Reach.MACHINE
        assert url == f"http://{host}:8501/data"


@pytest.mark.parametrize("host", HERE)
def test_an_address_that_the_operator_names_is_taken(host):
    assert opened(host, "10.0.0.3") == ("http://10.0.0.3:8501/data", Reach.OTHERS)
    assert opened(host, "[fd00::3]") == ("http://[fd00::3]:8501/data", Reach.OTHERS)
    assert opened(host, "trees.local") == ("http://trees.local:8501/data", Reach.OTHERS)


@pytest.mark.parametrize("host", ELSEWHERE)
@pytest.mark.parametrize("served", [*EVERYWHERE, *MACHINE])
def test_an_address_that_others_know_is_left_alone(host, served):
    """As it is behind a web server, which comes in by the loopback device itself."""
    assert opened(host, served) == (f"http://{host}:8501/data", Reach.OTHERS)


@pytest.mark.parametrize(("reach", "says"), [
    (Reach.MACHINE, "`python -m lastviz --address 0.0.0.0`"), (Reach.UNKNOWN, "localhost"),
    (Reach.OTHERS, ""),
])  # fmt: skip
def test_who_cannot_hand_on_an_address_is_told_what_to_do(monkeypatch, reach, says):
    monkeypatch.setattr(words, "reach", lambda: reach)
    assert says in words.reach_words()
    assert bool(words.reach_words()) is (reach is not Reach.OTHERS)
