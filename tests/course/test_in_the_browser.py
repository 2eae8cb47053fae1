"""The lessons in JupyterLab in Chromium: run, look, move the sliders, answer right and wrong."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from nbconvert import HTMLExporter
from playwright.sync_api import expect, sync_playwright

from tests.course.browser import CHROMIUM, FLAGS, PATIENCE, Lesson, jupyterlab
from tests.course.conftest import ROOT

LESSONS = sorted((ROOT / "course").glob("*.ipynb"))
each_lesson = pytest.mark.parametrize("name", [path.name for path in LESSONS])
each_theme = pytest.mark.parametrize("theme", ["light", "dark"])


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with jupyterlab(LESSONS, tmp_path_factory.mktemp("lab")) as address:
        yield address


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    yield page
    page.close()


@each_lesson
def test_lesson_runs_and_its_explorers_move(page, address, name):
    lesson = Lesson(page, address, name)
    lesson.run_all()
    assert lesson.loud_outputs() == []
    descriptions = lesson.descriptions()
    assert descriptions
    assert all(len(words) > 30 for words in descriptions)

    explorers = page.locator(".jp-OutputArea").filter(has=page.locator(".noUi-handle")).all()
    assert explorers
    for explorer in explorers:
        picture = explorer.locator("img")
        alt, source = picture.get_attribute("alt"), picture.get_attribute("src")
        handle = explorer.locator(".noUi-handle").first
        at_end = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemax")
        handle.press("ArrowLeft" if at_end else "ArrowRight")
        expect(picture).not_to_have_attribute("alt", alt, timeout=PATIENCE)
        expect(picture).not_to_have_attribute("src", source, timeout=PATIENCE)
    assert lesson.loud_outputs() == []


@pytest.fixture
def first_lesson(page, address):
    lesson = Lesson(page, address, "01_head_split.ipynb")
    lesson.run_all()
    return lesson


def test_prediction_answers_what_is_typed(first_lesson):
    cell = first_lesson.cell('"1.whose-vector"')
    expect(cell).to_contain_text("Make your prediction")
    first_lesson.rewrite(cell, "...", '("bank", 0)')
    expect(cell).to_contain_text("Not quite. The index says head 0, token 2", timeout=PATIENCE)
    first_lesson.rewrite(cell, '("bank", 0)', '("river", 0)')
    expect(cell).to_contain_text("Right. A straight reshape deals the 24 numbers out", timeout=PATIENCE)


def test_checkpoint_answers_what_is_typed(first_lesson):
    cell = first_lesson.cell("check_split_one(split_one)")
    expect(cell).to_contain_text("returns nothing yet")
    first_lesson.rewrite(cell, "...", "x.reshape(h, T, C // h)")
    expect(cell).to_contain_text("this is a straight reshape", timeout=PATIENCE)
    first_lesson.rewrite(cell, "x.reshape(h, T, C // h)", "by_token.transpose(1, 0, 2)")
    expect(cell).to_contain_text("Right. Every head holds all tokens", timeout=PATIENCE)


def test_exercise_answers_what_is_typed(page, address):
    lesson = Lesson(page, address, "05_exercises.ipynb")
    lesson.run_all()
    answer, check = lesson.cell("def concat_with_a_loop"), lesson.cell("check_concat(concat_with_a_loop)")
    heads = "[per_head[:, i] for i in range(per_head.shape[1])]"
    lesson.rewrite(answer, "...", f"return np.concatenate({heads}, axis=1)")
    lesson.rewrite(check, "check_concat(concat_with_a_loop)", "check_concat(concat_with_a_loop)")
    expect(check).to_contain_text("Not quite", timeout=PATIENCE)
    lesson.rewrite(answer, "axis=1", "axis=-1")
    lesson.rewrite(check, "check_concat(concat_with_a_loop)", "check_concat(concat_with_a_loop)")
    expect(check).to_contain_text("Right.", timeout=PATIENCE)


# What nbconvert's page brings along and a lesson cannot choose: the colours of prompts and of highlighted code, and
# links without underline.
NOT_OURS = {"exclude": [[".jp-InputPrompt"], [".jp-OutputPrompt"], [".highlight"]]}
RULES = {"rules": {"link-in-text-block": {"enabled": False}}}


@each_theme
@each_lesson
def test_axe_finds_nothing(page, name, theme):
    html, _ = HTMLExporter(theme=theme, embed_images=True).from_filename(str(ROOT / "course" / name))
    page.route("http*://**", lambda route: route.abort())  # nothing is fetched: lessons work offline
    page.set_content(html, wait_until="domcontentloaded")
    violations = Axe().run(page, context=NOT_OURS, options=RULES).response["violations"]
    assert not violations, [(v["id"], [node["html"][:200] for node in v["nodes"][:3]]) for v in violations]
