// Small charts as SVG. All text goes in as text, never as markup.
const SVG = "http://www.w3.org/2000/svg";

export function node(name, attributes = {}, ...children) {
  const svg = ["svg", "path", "line", "text", "rect", "circle"].includes(name);
  const made = svg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

const WIDTH = 340, HEIGHT = 120, LEFT = 38, BOTTOM = 16, TOP = 6;

// lines: [{name, kind, values: [[x, y], ...]}]; y from 0.
export function lines(series, show) {
  const points = series.flatMap((each) => each.values).filter(([, y]) => y !== null);
  if (!points.length) return node("p", { class: "quiet" }, "nothing yet");
  const xs = points.map(([x]) => x);
  const low = Math.min(...xs), high = Math.max(...xs);
  const top = Math.max(...points.map(([, y]) => y)) * 1.1 || 1;
  const at = (x) => LEFT + ((x - low) / (high - low || 1)) * (WIDTH - LEFT - 6);
  const up = (y) => HEIGHT - BOTTOM - (y / top) * (HEIGHT - BOTTOM - TOP);
  const chart = node("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
    "aria-label": series.map((each) => each.name).join(", ") });
  for (const y of [0, top / 2, top]) {
    chart.append(node("line", { class: "axis", x1: LEFT, x2: WIDTH, y1: up(y), y2: up(y) }));
    chart.append(node("text", { x: LEFT - 4, y: up(y) + 4, "text-anchor": "end" }, show(y)));
  }
  chart.append(node("text", { x: LEFT, y: HEIGHT - 2 }, whole(low)));
  chart.append(node("text", { x: WIDTH - 2, y: HEIGHT - 2, "text-anchor": "end" }, whole(high)));
  for (const each of series) {
    let path = "", pen = "M";
    for (const [x, y] of each.values) {
      if (y === null) { pen = "M"; continue; }
      path += `${pen}${at(x).toFixed(1)},${up(y).toFixed(1)}`;
      pen = "L";
    }
    if (path) chart.append(node("path", { class: each.kind, d: path }));
  }
  const legend = node("div", { class: "legend" }, ...series.filter((each) => each.name).map((each) =>
    node("span", {}, node("i", { class: each.kind }), each.name)));
  return node("div", {}, chart, legend);
}

export function calibration(points) {
  if (!points.length) return node("p", { class: "quiet" }, "for two labels, once both were seen");
  const size = 150, most = Math.max(...points.map((each) => each.records));
  const at = (share) => 30 + share * (size - 36), up = (share) => size - 20 - share * (size - 28);
  const chart = node("svg", { viewBox: `0 0 ${size} ${size}`, role: "img",
    "aria-label": "how often labels occurred, by the probability predicted" });
  chart.append(node("line", { class: "axis", x1: at(0), y1: up(0), x2: at(1), y2: up(1) }));
  for (const each of points)
    chart.append(node("circle", { class: "point", cx: at(each.predicted), cy: up(each.occurred),
      r: 2 + 5 * Math.sqrt(each.records / most) }));
  for (const share of [0, 0.5, 1]) {
    chart.append(node("text", { x: at(share), y: size - 6, "text-anchor": "middle" }, share));
    chart.append(node("text", { x: 24, y: up(share) + 4, "text-anchor": "end" }, share));
  }
  return node("div", { class: "beside" }, chart, node("p", { class: "quiet" },
    "Across: the probability that was predicted for the second label. Up: how often it occurred."));
}

// rows: [[name, value, text]]; bars to both sides if a value is below zero.
export function bars(rows, empty = "nothing yet") {
  if (!rows.length) return node("p", { class: "quiet" }, empty);
  const most = Math.max(...rows.map(([, value]) => Math.abs(value))) || 1;
  const signed = rows.some(([, value]) => value < 0);
  return node("table", {}, ...rows.map(([name, value, text]) => {
    const length = (Math.abs(value) / most) * (signed ? 50 : 100);
    const from = signed ? (value < 0 ? 50 - length : 50) : 0;
    const bar = node("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none" },
      node("rect", { class: value < 0 ? "minus" : "plus", x: from, width: Math.max(0.5, length), y: 2, height: 8 }));
    return node("tr", {}, node("td", {}, name), node("td", {}, text), node("td", { class: "bar" }, bar));
  }));
}

export function table(head, rows, empty = "nothing yet") {
  if (!rows.length) return node("p", { class: "quiet" }, empty);
  return node("table", {}, node("tr", {}, ...head.map((each) => node("th", {}, each))),
    ...rows.map((row) => node("tr", {}, ...row.map((each) => node("td", {}, each)))));
}

export const whole = (n) => (n === null || n === undefined ? "-" : Math.round(n).toLocaleString("en"));
export const percent = (share) => (share === null || share === undefined ? "-" : `${(100 * share).toFixed(2)}%`);
export const short = (n) => (n === null || n === undefined ? "-" : Number(n.toPrecision(4)).toString());
