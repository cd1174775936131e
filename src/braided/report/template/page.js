"use strict";
const touch = window.matchMedia("(pointer: coarse)").matches;
const config = {
  responsive: true,
  displaylogo: false,
  displayModeBar: touch ? false : "hover",
  modeBarButtons: [["toImage", "zoom2d", "pan2d", "resetScale2d"]],
};
for (const data of document.querySelectorAll("script[data-chart]")) {
  const figure = JSON.parse(data.textContent);
  if (touch) figure.layout.dragmode = false; // a finger scrolls the page
  Plotly.newPlot(data.dataset.chart, figure.data, figure.layout, config);
}
for (const button of document.querySelectorAll(".keys button")) {
  button.addEventListener("click", () => {
    const shown = button.getAttribute("aria-pressed") !== "true";
    const chart = button.closest("figure").querySelector(".chart");
    const traces = chart.data.flatMap((trace, i) => (trace.meta === Number(button.dataset.key) ? [i] : []));
    Plotly.restyle(chart, { visible: shown }, traces);
    button.setAttribute("aria-pressed", String(shown));
  });
}
// Plotly resizes a chart some time later, which is too late for a printer: it is given the width.
function redraw(printing) {
  document.documentElement.classList.toggle("printing", printing);
  for (const chart of document.querySelectorAll(".chart")) {
    Plotly.relayout(chart, printing ? { width: chart.clientWidth } : { width: null, autosize: true });
  }
}
window.addEventListener("beforeprint", () => redraw(true));
window.addEventListener("afterprint", () => redraw(false));
