"""A provider of logins for tests: OpenID Connect on loopback, whose users are links on a page."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

USERS = {
    "ann": {"email": "ann@example.org", "email_verified": True, "name": "Ann"},
    "zoe": {"email": "zoe@example.org", "email_verified": True, "name": "Zoe"},
    "eve": {"email": "eve@elsewhere.org", "email_verified": True, "name": "Eve"},
    "bob": {"email": "bob@example.org", "email_verified": False, "name": "Bob"},
}
CLIENT = ("lastviz", "a secret of the client's")


class Provider(ThreadingHTTPServer):
    """The server, the key that it signs with, and what it has given out."""

    daemon_threads = True

    def __init__(self) -> None:
        from joserfc.jwk import RSAKey

        super().__init__(("localhost", 0), Answers)
        self.key = RSAKey.generate_key(2048, {"kid": "test", "use": "sig", "alg": "RS256"})
        self.issuer = f"http://localhost:{self.server_port}"
        self.codes: dict[str, dict[str, str]] = {}
        self.challenged: list[bool] = []

    def token_of(self, code: str) -> dict[str, object]:
        """Return what a code is exchanged for, once."""
        from joserfc import jwt

        asked = self.codes.pop(code)
        now = int(time.time())
        claims = {"iss": self.issuer, "sub": asked["user"], "aud": CLIENT[0], "iat": now,
                  "exp": now + 300, "nonce": asked["nonce"], **USERS[asked["user"]]}  # fmt: skip
        id_token = jwt.encode({"alg": "RS256", "kid": "test"}, claims, self.key)
        return {
            "access_token": token_urlsafe(),
            "token_type": "Bearer",
            "expires_in": 300,
            "id_token": id_token,
        }


class Answers(BaseHTTPRequestHandler):
    """What the provider answers."""

    server: Provider

    def do_GET(self) -> None:
        """Tell where everything is and the key; ask who it is; send back with a code."""
        where = urlsplit(self.path)
        query = dict(parse_qsl(where.query))
        if where.path == "/.well-known/openid-configuration":
            at = self.server.issuer
            self._json({
                "issuer": at, "authorization_endpoint": f"{at}/authorize",
                "token_endpoint": f"{at}/token", "jwks_uri": f"{at}/jwks",
                "end_session_endpoint": f"{at}/end", "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "code_challenge_methods_supported": ["S256"],
            })  # fmt: skip
        elif where.path == "/jwks":
            self._json({"keys": [self.server.key.as_dict(private=False)]})
        elif where.path == "/authorize" and "user" not in query:
            links = "".join(
                f'<a href="/authorize?{escape(urlencode(query | {"user": user}))}">{user}</a> '
                for user in USERS
            )
            self._answer(200, f"<h1>Who are you?</h1>{links}".encode(), "text/html")
        elif where.path == "/authorize":
            assert query["client_id"] == CLIENT[0]
            code = token_urlsafe()
            self.server.codes[code] = query
            self.server.challenged.append(query.get("code_challenge_method") == "S256")
            back = urlencode({"code": code, "state": query["state"]})
            self._redirect(f"{query['redirect_uri']}?{back}")
        elif where.path == "/end":
            self._redirect(query["post_logout_redirect_uri"])
        else:
            self._answer(404, b"", "text/plain")

    def do_POST(self) -> None:
        """Exchange a code for a token."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        (code,) = parse_qs(body)["code"]
        self._json(self.server.token_of(code))

    def _redirect(self, address: str) -> None:
        self.send_response(302)
        self.send_header("Location", address)
        self.end_headers()

    def _json(self, value: object) -> None:
        self._answer(200, json.dumps(value).encode(), "application/json")

    def _answer(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def provider() -> Iterator[Provider]:
    """Serve for the time of the block."""
    with Provider() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def secrets(issuer: str, address: str) -> str:
    """Return a secrets.toml for an app at an address."""
    return (
        "[auth]\n"
        f'redirect_uri = "{address}/oauth2callback"\n'
        f'cookie_secret = "{token_urlsafe(32)}"\n'
        f'client_id = "{CLIENT[0]}"\n'
        f'client_secret = "{CLIENT[1]}"\n'
        f'server_metadata_url = "{issuer}/.well-known/openid-configuration"\n'
    )
