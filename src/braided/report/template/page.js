"use strict";
const touch = window.matchMedia("(pointer: coarse)").matches;
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const darkColours = JSON.parse(document.getElementById("dark").textContent);
const config = {
  responsive: true,
  displaylogo: false,
  displayModeBar: touch ? false : "hover",
  modeBarButtons: [["toImage", "zoom2d", "pan2d", "resetScale2d"]],
};
const figures = new Map();
let printing = false;

function themedColour(colour) {
  return dark.matches && !printing && Object.hasOwn(darkColours, colour) ? darkColours[colour] : colour;
}
// A copy of a figure in the colours of the theme; only what is a colour is replaced, since a name may look like one.
function themed(item, isColour = false) {
  if (typeof item === "string") return isColour ? themedColour(item) : item;
  if (Array.isArray(item)) return item.map((part) => themed(part, isColour));
  if (item === null || typeof item !== "object") return item;
  const parts = Object.entries(item).map(([key, part]) => [key, themed(part, isColour || /color(scale)?$/.test(key))]);
  return Object.fromEntries(parts);
}
function draw(chart) {
  const figure = themed(figures.get(chart));
  if (touch) figure.layout.dragmode = false; // a finger scrolls the page
  if (printing) figure.layout.width = chart.clientWidth; // Plotly resizes later, too late for a printer
  else figure.layout.autosize = true;
  figure.layout.uirevision = "same"; // what was zoomed stays zoomed
  Plotly.react(chart, figure.data, figure.layout, config);
}
function drawAll() {
  document.documentElement.classList.toggle("printing", printing);
  for (const line of document.querySelectorAll(".keys line")) line.setAttribute("stroke", themedColour(line.dataset.colour));
  for (const chart of figures.keys()) draw(chart);
}
for (const data of document.querySelectorAll("script[data-chart]")) {
  figures.set(document.getElementById(data.dataset.chart), JSON.parse(data.textContent));
}
drawAll();
dark.addEventListener("change", drawAll);
for (const button of document.querySelectorAll(".keys button")) {
  button.addEventListener("click", () => {
    const shown = button.getAttribute("aria-pressed") !== "true";
    const chart = button.closest("figure").querySelector(".chart");
    for (const trace of figures.get(chart).data) {
      if (trace.meta === Number(button.dataset.key)) trace.visible = shown;
    }
    draw(chart);
    button.setAttribute("aria-pressed", String(shown));
  });
}
for (const [moment, value] of [["beforeprint", true], ["afterprint", false]]) {
  window.addEventListener(moment, () => {
    printing = value;
    drawAll();
  });
}
