"""Reports: an HTML page with charts and tables of an evaluation, and curves as image files."""

from braided.report.chart import Chart
from braided.report.image_file import draw_curves
from braided.report.outcomes import compared, outcomes_of
from braided.report.page import Page, Section, write_page
from braided.report.recording import Recorder, Recording, record

__all__ = [
    "Chart",
    "Page",
    "Recorder",
    "Recording",
    "Section",
    "compared",
    "draw_curves",
    "outcomes_of",
    "record",
    "write_page",
]
