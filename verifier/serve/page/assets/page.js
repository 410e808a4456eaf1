"use strict";
// Sends the text a moment after the last key, asks for news, and shows what comes. Whatever was written by
// somebody goes into the page as text, never as markup.
const PAUSE = 400, RETRY = 2000;
const at = (id) => document.getElementById(id);
const GLYPHS = { holds: "✓", loose: "≈", fails: "✗", unrefuted: "~", inconclusive: "?", error: "!" };
let timer = 0, newest = 0, chosen = null, shown = "", sent = null;

function made(tag, text, className) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  return element;
}

function say(words) { if (at("status").textContent !== words) at("status").textContent = words; }

async function ask(address, options) {
  const answer = await fetch(address, { cache: "no-store", credentials: "omit", ...options });
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.error || answer.statusText);
  return data;
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(send, PAUSE);
}

async function send() {
  clearTimeout(timer);
  const text = at("text").value;
  if (text === sent) return;
  sent = text;
  const turn = ++newest;
  if (!text.trim()) { clear(); return; }
  say("reading…");
  try {
    const body = JSON.stringify({ text });
    let state = await ask("judge", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    while (turn === newest) {
      show(state);
      if (state.over) return;
      state = await ask(`state?job=${state.job}&seen=${state.version}`);
    }
  } catch (error) {
    if (turn !== newest) return;
    sent = null;
    clear();
    say(error instanceof TypeError ? "the server does not answer; is `verify serve` still running?" : error.message);
    if (error instanceof TypeError) timer = setTimeout(send, RETRY);
  }
}

function clear() {
  at("claims").replaceChildren();
  at("problems").replaceChildren();
  say("");
  point("blank.html");
}

function point(address) {
  if (address === shown) return;
  shown = address;
  // Replaced, so that the browser's way back leads out of the page and not through every keystroke.
  at("shown").contentWindow.location.replace(new URL(address, location.href));
}

function show(state) {
  if (state.cancelled) return;
  const known = state.claims.filter((claim) => claim.verdict);
  const wrong = state.problems.length + state.claims.reduce((sum, claim) => sum + claim.problems.length, 0);
  if (state.trouble) say(state.trouble);
  else if (!state.claims.length) say(wrong ? "this could not be read" : "nothing is stated yet");
  else if (state.over) say(`${known.length} of ${state.claims.length} judged`);
  else say(`judging… ${known.length} of ${state.claims.length} done`);
  showProblems(state);
  showClaims(state);
}

function showProblems(state) {
  const all = [...state.problems, ...state.claims.flatMap((claim) => claim.problems)];
  at("problems").replaceChildren(...all.map((problem) => {
    const item = made("li", "");
    const place = made("button", `line ${problem.line}, column ${problem.column}`);
    place.type = "button";
    place.addEventListener("click", () => caret(problem.line, problem.column));
    item.append(place, `: ${problem.message} `, made("span", `[${problem.code}]`, "quiet"));
    if (problem.hint) item.append(made("span", problem.hint, "hint"));
    return item;
  }));
}

function caret(line, column) {
  const lines = at("text").value.split("\n").slice(0, line);
  const last = lines.pop() || "";
  const place = lines.reduce((sum, words) => sum + words.length + 1, 0) + Math.min(column - 1, last.length);
  at("text").focus();
  at("text").setSelectionRange(place, place + 1);
}

function showClaims(state) {
  const current = state.claims.find((claim) => claim.id === chosen) || state.claims[0];
  const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.claim : null;
  at("claims").replaceChildren(...state.claims.map((claim) => {
    const item = made("li", ""), button = made("button", "");
    button.type = "button";
    button.dataset.claim = claim.id;
    button.title = claim.reason;
    if (claim === current) button.setAttribute("aria-current", "true");
    const words = claim.verdict ? `${GLYPHS[claim.verdict]} ${claim.verdict}` : `… ${claim.trying || "waiting"}`;
    button.append(made("span", words, `badge ${claim.verdict || "open"}`), made("span", claim.name));
    button.addEventListener("click", () => { chosen = claim.id; shown = ""; showClaims(state); });
    item.append(button);
    return item;
  }));
  if (focused) [...at("claims").querySelectorAll("button")].find((b) => b.dataset.claim === focused)?.focus();
  if (current) point(`typed/${state.job}/${current.page}${current.verdict ? "?judged" : ""}`);
  else point("blank.html");
}

async function watchReport(known) {
  at("report").hidden = known !== "ready";
  at("coming").hidden = known !== "coming";
  if (known === "coming") setTimeout(async () => watchReport((await ask("start.json")).report), RETRY);
}

async function start() {
  const page = await ask("start.json");
  const select = at("example");
  page.examples.forEach((example, number) => {
    const option = made("option", example.title);
    option.value = String(number);
    select.append(option);
  });
  select.addEventListener("change", () => {
    const example = page.examples[Number(select.value)];
    if (select.value === "" || !example) return;
    at("text").value = example.text;
    chosen = null;
    select.value = "";
    at("text").focus();
    send();
  });
  watchReport(page.report);
  at("report").addEventListener("click", () => { shown = "report"; });
  at("text").addEventListener("input", later);
  at("text").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); send(); }
  });
  if (at("text").value) later();
}

start().catch((error) => say(error.message));
