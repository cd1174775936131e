// The live page: the state of the service once a second, drawn as it comes.
import { bars, calibration, lines, node, percent, short, table, whole } from "/charts.js";

const KEPT = 600;
const $ = (id) => document.getElementById(id);
const history = new Map(); // of each model: what the charts over time show
let chosen = decodeURIComponent(location.hash.slice(1)) || null;
let reading = null;

function headers(more = {}) {
  const token = sessionStorage.getItem("token");
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

function show(id, ...children) { $(id).replaceChildren(...children); }

function choose(name) {
  chosen = name;
  history.delete(name);
  location.hash = encodeURIComponent(name);
  $("answer").replaceChildren();
  connect();
}

async function connect() {
  reading?.abort();
  const own = (reading = new AbortController());
  const query = chosen === null ? "" : `?model=${encodeURIComponent(chosen)}`;
  try {
    const response = await fetch(`/events${query}`, { headers: headers(), signal: own.signal });
    $("token").hidden = ![401, 403].includes(response.status);
    if (response.status === 404) { chosen = null; location.hash = ""; return connect(); }
    if (!response.ok) throw new Error((await response.json()).error);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
      const events = text.split("\n\n");
      text = events.pop();
      for (const event of events) draw(JSON.parse(event.slice(6)));
    }
    throw new Error("the service has ended");
  } catch (error) {
    if (own.signal.aborted) return;
    $("state").textContent = `${error.message}; trying again`;
    setTimeout(() => { if (!own.signal.aborted) connect(); }, 2000);
  }
}

function draw(state) {
  $("state").textContent = `live, ${new Date().toLocaleTimeString()}`;
  const names = state.models.map((each) => each.name);
  show("models", ...state.models.map((each) => {
    const button = node("button", { type: "button", "aria-current": each.name === chosen }, each.name,
      node("small", {}, percent(each.error_recent)));
    button.addEventListener("click", () => choose(each.name));
    return button;
  }));
  $("empty").hidden = names.length > 0;
  $("model").hidden = !state.model;
  if (!names.includes(chosen)) {
    if (names.length) choose(names[0]);
    return;
  }
  const warnings = state.models.flatMap((each) => each.warnings.map((warning) => `${each.name}: ${warning}`));
  $("warnings").hidden = !warnings.length;
  show("warnings", ...warnings.map((each) => node("li", {}, each)));
  if (state.model) drawModel(state.model);
}

function remember(model) {
  const kept = history.get(model.name) ?? [];
  const verbs = Object.values(model.speed);
  kept.push({ at: model.rounds, progress: model.progress,
    rate: verbs.reduce((sum, each) => sum + each.per_second, 0) });
  if (kept.length > KEPT) kept.shift();
  history.set(model.name, kept);
  return kept;
}

function tile(name, text, id) {
  return node("div", { class: "tile" }, node("b", { "data-number": id }, text), node("span", { class: "quiet" }, name));
}

function drawModel(model) {
  const kept = remember(model), told = model.progress;
  show("tiles",
    tile("records learned", whole(model.rounds), "rounds"),
    tile("error, all", percent(told.error), "error"),
    tile(`error, last ${whole(told.recent)}`, percent(told.error_recent), "error_recent"),
    tile("error of the majority class", percent(told.error_majority), "error_majority"),
    tile("error of the last label", percent(told.error_last_label), "error_last_label"),
    tile("features seen", whole(model.features_seen), "features_seen"),
    tile("features kept", whole(model.features_kept), "features_kept"),
    tile("wait for a label", whole(model.pending), "pending"),
    tile("memory", `${(model.memory_bytes / 1e6).toFixed(2)} MB`, "memory"),
    tile("version", whole(model.version), "version"));
  const over = (pick) => kept.map((each) => [each.at, pick(each)]);
  show("error", lines([
    { name: "majority class", kind: "baseline", values: over((each) => each.progress.error_majority) },
    { name: "all records", kind: "all", values: over((each) => each.progress.error) },
    { name: "recent", kind: "recent", values: over((each) => each.progress.error_recent) },
  ], (y) => `${(100 * y).toFixed(0)}%`));
  show("loss", lines([
    { name: "shares of the labels", kind: "baseline", values: over((each) => each.progress.log_loss_label_shares) },
    { name: "all records", kind: "all", values: over((each) => each.progress.log_loss) },
    { name: "recent", kind: "recent", values: over((each) => each.progress.log_loss_recent) },
  ], (y) => y.toFixed(2)));
  show("rate", lines([{ name: "", kind: "recent", values: kept.map((each, i) => [i, each.rate]) }], whole));
  show("speed", table(["", "requests", "records", "a second", "ms", "ms, 99%"],
    Object.entries(model.speed).map(([verb, each]) => [verb, whole(each.requests), whole(each.records),
      whole(each.per_second), short(each.ms_median), short(each.ms_p99)])));
  const labels = [...told.labels].sort((a, b) => b.records - a.records).slice(0, 12);
  show("labels", bars(labels.map((each) => [each.label, each.records,
    `${whole(each.records)} (${percent(each.records / told.records)})`])));
  show("calibration", calibration(told.calibration));
  show("weights", ...(model.weights.length && model.weights[0].weights
    ? model.weights.slice(0, 6).flatMap((each) => [node("p", { class: "quiet" }, each.label), weights(each.weights.slice(0, 5))])
    : [weights(model.weights)]));
  show("experts", model.experts === null
    ? node("p", { class: "quiet" }, "of a Braid with two labels")
    : bars(model.experts.map((each) => [each.expert, each.share, percent(each.share)])));
  show("arrived", table(["feature", "record"], model.features.arrived.map((each) => [each.feature, whole(each.record)])));
  show("gone", table(["feature", "times", "last record"],
    model.features.gone.map((each) => [each.feature, whole(each.times), whole(each.record)]), "none"));
}

const weights = (found) => bars(found.map((each) => [each.feature, each.weight, short(each.weight)]));

$("try").addEventListener("submit", async (event) => {
  event.preventDefault();
  const response = await fetch(`/models/${encodeURIComponent(chosen)}/explain`, {
    method: "POST", body: $("record").value, headers: headers({ "Content-Type": "application/json" }) });
  const said = await response.json();
  if (!response.ok) return show("answer", node("p", {}, said.error));
  const chance = said.probability === null ? "" : ` (${percent(said.probability)})`;
  const effects = (said.effects ?? []).flatMap((each) => each.effects ?? [each]).slice(0, 20);
  show("answer", node("p", {}, node("b", {}, said.label ?? "nothing learned yet"), chance),
    bars(effects.map((each) => [each.feature, each.effect, short(each.effect)]), "no feature that the model knows"));
});

$("token").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem("token", new FormData(event.target).get("token"));
  connect();
});

connect();
