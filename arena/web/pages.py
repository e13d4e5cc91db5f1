"""Templates to pages."""

from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from msgspec import to_builtins

from arena import VERSION
from arena.tournament.reports import luck_texts
from arena.web import charts, words
from arena.web.links import Links, query
from engine.options import options_text

HERE: Final = Path(__file__).parent
STATIC: Final = HERE / "static"


@cache
def templates() -> Environment:
    """The templates; whatever they are given is text unless it says that it is markup."""
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        count=words.count,
        luck_texts=luck_texts,
        moment=words.moment,
        option_words=lambda options: options_text(to_builtins(options)),
        options=options_text,
        percent=words.percent,
        rating=words.rating,
        seat_codes=words.seat_codes,
        signed=words.signed,
        title_of=words.title_of,
        visible=words.visible,
    )
    environment.globals.update(
        bar=charts.bar,
        dict=dict,
        query=query,
        version=VERSION,
        whisker=charts.whisker,
        zip=zip,
    )
    return environment


def render(template: str, links: Links, /, **shown: Any) -> str:
    """A page, or a part of one.

    Args:
        template: the name of a file in the folder of templates.
        links: where other pages are.
        shown: what the template shows.
    """
    return templates().get_template(template).render(to=links, **shown)
