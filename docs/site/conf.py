"""How Sphinx makes the site; scripts/docs calls it on the pages that docs/site/pages.py has gathered."""
import gnomon

project = "gnomon"
author = "the gnomon developers"
version = release = gnomon.__version__
html_title = f"gnomon {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
myst_heading_anchors = 4  # as GitHub makes them
myst_enable_extensions = ["attrs_block"]
suppress_warnings = ["myst.header"]  # the changelog begins its lists below a paragraph

autodoc_default_options = {"members": True, "inherited-members": False}
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings name the types
napoleon_google_docstring = False

html_theme = "furo"
html_show_sourcelink = False
html_show_copyright = False
exclude_patterns = ["docs/site"]
nitpicky = False


def _plain_bars(app, what, name, obj, options, lines):
    """|u| is an absolute value in our docstrings, no substitution."""
    lines[:] = [line.replace("|", r"\|") for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", _plain_bars)
