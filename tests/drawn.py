"""What a picture of a board holds, for tests."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, fromstring

SVG = "{http://www.w3.org/2000/svg}"


class Drawn:
    """A picture, read."""

    def __init__(self, picture: str) -> None:
        self.root = fromstring(picture)
        self.cells = {cell.attrib["data-at"]: cell for cell in self.root.iterfind(".//*[@data-at]")}

    @property
    def says(self) -> str:
        """What it is called."""
        return self.root.attrib["aria-label"]

    @property
    def titles(self) -> dict[str, str]:
        """What each cell says of itself, after its name."""
        return {
            name: (cell.findtext(f"{SVG}title") or "").removeprefix(f"{name}: ")
            for name, cell in self.cells.items()
        }

    @property
    def words(self) -> Sequence[str]:
        """Every text outside the cells, in order."""
        inside = {id(part) for cell in self.cells.values() for part in cell.iter()}
        texts = (text for text in self.root.iter(f"{SVG}text") if id(text) not in inside)
        return ["".join(text.itertext()) for text in texts]

    def uses(self, within: Element | None = None) -> Sequence[str]:
        """The drawings that are used, in the whole picture or in a part of it."""
        part = self.root if within is None else within
        return [use.attrib["href"].removeprefix("#") for use in part.iter(f"{SVG}use")]

    def painted(self, colour: str, within: Element | None = None) -> Sequence[Element]:
        """What is filled or drawn with a colour."""
        part = self.root if within is None else within
        return [e for e in part.iter() if colour in (e.get("fill"), e.get("stroke"))]

    def middle(self, name: str) -> tuple[float, float]:
        """Where a cell lies."""
        words = self.cells[name].attrib["transform"].removeprefix("translate(").removesuffix(")")
        x, y = map(float, words.split())
        return x, y
