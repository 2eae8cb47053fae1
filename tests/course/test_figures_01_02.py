"""The figures of lessons 1 and 2: their descriptions say what the operations really do."""

import math

import numpy as np
import pytest
from matplotlib.patches import Rectangle
from mha.attention import softmax
from mha.figures import attention_margins, two_shelves
from mha.figures.margins import effective_keys
from mha.figures.shelves import SENTENCE
from mha.figures.style import ALERT, Picture, head_style
from mha.forward import demonstration


@pytest.fixture(scope="module")
def products():
    _, cache = demonstration().forward()
    return cache["Q"][0] @ cache["K"][0].swapaxes(-1, -2)  # (h, T, T)


def texts(picture):
    return [text.get_text() for ax in picture.figure.get_axes() for text in ax.texts]


def alerts(picture):
    patches = [p for ax in picture.figure.get_axes() for p in ax.patches if isinstance(p, Rectangle)]
    return [p for p in patches if p.get_edgecolor()[:3] == pytest.approx(rgb(ALERT), abs=0.01)]


def rgb(colour):
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def test_shelves_follow_bank():
    picture = two_shelves()
    assert isinstance(picture, Picture)
    assert "its row bank is bank's own" in picture.alt
    assert "row bank holds river·h0 in head 0, was·h0 in head 1" in picture.alt
    assert "18 of 24 cells, marked !" in picture.alt
    assert "boxed at places 12 to 14 and 15 to 17" in picture.alt
    assert "24, 3, 6, 1" in picture.alt


def test_straight_reading_has_other_places_and_strides():
    picture = two_shelves(2, "straight")
    assert "boxed at places 6 to 8 and 18 to 20" in picture.alt
    assert "24, 12, 3, 1" in picture.alt


def test_wrong_cells_are_told_by_mark_and_by_border():
    picture = two_shelves()
    marked = [text for text in texts(picture) if text.endswith("!")]
    assert len(marked) == len(alerts(picture)) == 18
    assert "river\nh0·f2 !" in marked


def test_nothing_is_given_away_before_it_is_asked():
    picture = two_shelves(both=False, strides=False)
    assert "trides" not in picture.alt
    assert "straight" not in picture.alt
    assert alerts(picture) == []
    assert "3 head" not in texts(picture)
    assert "3 head" in texts(two_shelves())


@pytest.mark.parametrize("token", range(4))
@pytest.mark.parametrize("way", ["transpose", "straight"])
def test_every_setting_of_the_explorer_draws(token, way):
    assert f"row {SENTENCE[token]} of the heads" in two_shelves(token, way).alt


@pytest.mark.parametrize(("token", "way"), [(4, "transpose"), (-1, "transpose"), (0, "sideways")])
def test_shelves_reject_what_is_not_there(token, way):
    with pytest.raises(ValueError, match="no token"):
        two_shelves(token, way)


def test_heads_differ_by_fill_hatch_and_line():
    for part in ("fill", "strong", "hatch"):
        assert len({getattr(head_style(head), part) for head in range(8)}) == 8


def test_margins_of_the_right_softmax(products):
    alt = attention_margins(products, math.sqrt(16)).alt
    assert "Row sums are all 1. Column sums run from" in alt
    assert "Head 0, query 0: most weight, 0.972, on key 3; it averages over about 1.2 keys." in alt
    assert "Head 1, query 0: most weight, 0.519, on key 5; it averages over about 3.4 keys." in alt


def test_wrong_axis_moves_the_ones_to_the_other_margin(products):
    alt = attention_margins(products, 4, axis=-2).alt
    assert "softmax over the queries" in alt
    assert "Column sums are all 1." in alt
    assert "Row sums run from" in alt


def test_wrong_divisor_leaves_the_sums_and_flattens_the_row(products):
    alt = attention_margins(products, math.sqrt(64)).alt
    assert "Row sums are all 1." in alt
    assert "Head 0, query 0: most weight, 0.741, on key 3; it averages over about 2.6 keys." in alt


def test_temperature_is_one_more_divisor(products):
    halved = attention_margins(products, 4, temperature=2).alt
    assert halved == attention_margins(products, 8).alt


def test_causal_mask_leaves_dashes_above_the_diagonal(products):
    picture = attention_margins(products, 4, causal=True)
    assert "causal mask" in picture.alt
    assert texts(picture).count("–") == 4 * 15
    assert "Head 0, query 0: most weight, 1.000, on key 0; it averages over about 1.0 keys." in picture.alt


@pytest.mark.parametrize("heads", [1, 2, 3, 4])
def test_any_number_of_heads_and_more_keys_than_queries(heads):
    assert f"{heads} tables" in attention_margins(np.ones((heads, 3, 5)), 2, query=2).alt


def test_effective_keys():
    assert effective_keys(np.array([0.0, 1.0, 0.0])) == 1
    assert effective_keys(np.full(6, 1 / 6)) == pytest.approx(6)
    assert effective_keys(np.zeros(4)) == 1
    assert effective_keys(softmax(np.zeros((2, 3, 5)))).shape == (2, 3)


def luminance(red, green, blue):
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    dark, light = sorted((luminance(*one), luminance(*other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("head", range(8))
def test_contrast_of_marks_and_of_labels(head):
    style = head_style(head)
    assert contrast(rgb(style.strong), (1, 1, 1)) >= 3
    assert contrast(rgb(style.fill), rgb("#1a1a1a")) >= 4.5


def test_numbers_in_the_tables_stay_legible(products):
    picture = attention_margins(products, 4)
    for ax in picture.figure.get_axes()[::2]:
        faces = {p.get_xy(): p.get_facecolor()[:3] for p in ax.patches if p.get_width() == p.get_height() == 1}
        for text in ax.texts:
            x, y = text.get_position()
            face = faces.get((x - 0.5, y - 0.5))
            if face:
                ink = (1, 1, 1) if text.get_color() == "white" else (0, 0, 0)
                assert contrast(face, ink) >= 4.5
