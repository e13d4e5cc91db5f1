"""A replay as HTML: a section for a page, or one file that needs nothing else."""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template
from typing import Final

import msgspec

from arena.analysis import Analysis
from arena.replay import Replay
from arena.web.replay_data import ReplayData, replay_data
from arena.web.words import moment

STATIC: Final = Path(__file__).parent / "static"
STYLES: Final = ("arena.css", "board.css", "replay.css")
"""What a page with the section needs; and `replay.js`, as a module."""
SCRIPTS: Final = ("replay-match.js", "replay-parts.js", "replay.js")
"""`replay.js` and the modules that it imports, each behind those that it needs itself."""

_TIES: Final = re.compile(r"^import .*\n|^export ", re.MULTILINE)
"""What ties modules together; in one file they need none."""

SECTION: Final = Template("""\
<section class="replay" data-game="$game" aria-label="Replay">
<script type="application/json">$data</script>
<noscript><p>The replay is shown by a script, which is switched off here.</p></noscript>
</section>""")

PAGE: Final = Template("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '$script_hash'; \
style-src '$style_hash'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$heading</title>
<style>$style</style>
</head>
<body>
<main>
<h1>$heading</h1>
<p class="about">Match <code>$match</code>, $started</p>
$section
</main>
<script type="module">$script</script>
</body>
</html>
""")


def section(data: ReplayData) -> str:
    """A replay in a page that has the styles and the script."""
    return SECTION.substitute(game=escape(data.game), data=_for_a_script(data))


def page(replay: Replay, analysis: Analysis | None = None) -> str:
    """A replay as one file; it loads nothing, and no other code can run in it.

    Raises:
        Mismatch: the record does not replay.
    """
    data = replay_data(replay, analysis)
    style = "".join(map(_read, STYLES))
    script = _TIES.sub("", "".join(map(_read, SCRIPTS)))
    names = " – ".join(place.name for place in data.places)
    return PAGE.substitute(
        heading=escape(f"{data.title}: {names}"),
        match=escape(data.match),
        started=escape(moment(replay.record.started)),
        section=section(data),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
    )


def _for_a_script(data: ReplayData) -> str:
    """JSON that cannot end the element it stands in, whatever strangers wrote."""
    return msgspec.json.encode(data).decode().replace("<", r"\u003c")


@cache
def _read(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """What a content policy calls a script or a style by."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
