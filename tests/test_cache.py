"""What is kept in the cache is there whole, or not at all."""

from pathlib import Path

import pytest

from arena.cache import staged


def test_a_staged_folder_is_there_when_it_is_whole(tmp_path: Path) -> None:
    place = tmp_path / "shelf" / "thing"
    with staged(place) as staging:
        (staging / "file").write_text("made")
        assert not place.exists()
    assert (place / "file").read_text() == "made"
    assert place.stat().st_mode & 0o777 == 0o755
    assert [*place.parent.iterdir()] == [place]


def half_make(place: Path) -> None:
    with staged(place) as staging:
        (staging / "file").write_text("half")
        raise ValueError("half made")


def test_what_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="half made"):
        half_make(tmp_path / "thing")
    assert not [*tmp_path.iterdir()]


def test_who_was_faster_stays(tmp_path: Path) -> None:
    place = tmp_path / "thing"
    with staged(place) as staging:
        (staging / "file").write_text("mine")
        place.mkdir()
        (place / "file").write_text("theirs")
    assert (place / "file").read_text() == "theirs"
    assert [*tmp_path.iterdir()] == [place]


def test_a_place_that_cannot_be_taken_is_an_error(tmp_path: Path) -> None:
    place = tmp_path / "thing"
    place.write_text("a file")
    with pytest.raises(NotADirectoryError), staged(place):
        pass
    assert [*tmp_path.iterdir()] == [place]
