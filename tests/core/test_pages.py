"""Each learner has a page that speaks of it, and scikit-learn's diagram links to it."""

import pytest

import aprendiz
from aprendiz import C45, KMeans, LogisticRegression, NearestMean
from aprendiz.core.learner import Learner
from aprendiz.core.pages import ADDRESS, FOLDERS, PAGES, page_called, page_of

PUBLIC = {name: getattr(topic, name) for topic in aprendiz.FAMILIES for name in topic.__all__}
LEARNERS = {name: cls for name, cls in PUBLIC.items() if isinstance(cls, type) and issubclass(cls, Learner)}
WITHOUT = {"MinMaxScaler", "RobustScaler", "SimpleImputer", "StandardScaler"}  # they need no page
SIBLINGS = {  # not named on the page of their method
    "C45": "decision tree", "CART": "decision tree", "ID3": "decision tree", "CategoricalNB": "naive Bayes",
    "GaussianNB": "naive Bayes", "KNeighborsRegressor": "neighbours",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_each_has_a_page(name):
    """The page exists, and names the class or its method."""
    page = page_of(LEARNERS[name])
    assert (page is None) == (name in WITHOUT)
    if page is not None:
        assert SIBLINGS.get(name, name).lower() in page.read_text(encoding="utf-8").lower()


def test_the_table_has_no_idle_lines():
    """Each line of the table is needed: a public class, an existing page that the rule would not find."""
    for name, stem in PAGES.items():
        assert name in PUBLIC
        page = page_called(name)
        assert page is not None
        assert page.stem == stem
    assert page_called("NoSuchMethod") is None


def test_classes_of_users():
    """A class derived from ours has the page of ours."""

    class Mine(C45):
        pass

    assert page_of(Mine) == page_of(C45)
    assert page_of(Learner) is None


def test_links(monkeypatch):
    """The page beside the code, or at the address that is given; no link where there is no page."""
    monkeypatch.delenv(ADDRESS, raising=False)
    page = FOLDERS[-1] / "k_means.md"
    assert KMeans()._get_doc_link() == page.as_uri()
    assert f'href="{page.as_uri()}"' in KMeans()._repr_html_()
    assert aprendiz.StandardScaler()._get_doc_link() == ""
    assert 'href="https:' not in LogisticRegression()._repr_html_()
    monkeypatch.setenv(ADDRESS, 'https://example.org/a"b/')
    assert KMeans()._get_doc_link() == "https://example.org/a&quot;b/k_means.md"
    assert NearestMean()._get_doc_link().endswith("/discriminant_family.md")


def test_the_wheel_brings_the_pages():
    """pyproject.toml puts the pages where an installed package looks for them."""
    text = (FOLDERS[-1].parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    assert '"docs/methods" = "aprendiz/pages"' in text
    assert 'only-include = ["src/aprendiz", "docs/methods"]' in text
