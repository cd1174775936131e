"""Names of features that would break a page which does not escape them."""

from __future__ import annotations

NASTY = (
    "</script><script>document.title='broken'</script>",
    "<img src=https://example.org/x.png onerror=\"document.title='broken'\">",
    "<a href='https://example.org'>link</a>",
    "%{x} $y$ {{ z }} {% if %} <!-- &amp; '\" \u2028 ü",
    "a_rather_long_name_" * 4,
    3,
)
