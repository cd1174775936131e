"""Reports: an HTML page with charts and tables of an evaluation, and curves as image files."""

from braided.report.appearances import Appearances
from braided.report.chart import Chart
from braided.report.image_file import draw_curves
from braided.report.model_page import model_page, model_section
from braided.report.outcomes import compared, outcomes_of
from braided.report.page import Page, Section, write_page
from braided.report.recording import Recorder, Recording, record
from braided.report.schema import FieldCoverage
from braided.report.table import Cell, Table, TableChart

__all__ = [
    "Appearances",
    "Cell",
    "Chart",
    "FieldCoverage",
    "Page",
    "Recorder",
    "Recording",
    "Section",
    "Table",
    "TableChart",
    "compared",
    "draw_curves",
    "model_page",
    "model_section",
    "outcomes_of",
    "record",
    "write_page",
]
