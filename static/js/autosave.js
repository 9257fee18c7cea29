// Keeps the answer: a draft at the server half a second after each change, and in this browser
// until the server has confirmed it. What the status says is what is known to be so.
//
// The form posts to `data-draft-url`, which answers {"stored": true}, and is submitted to its own
// address, which answers with a redirect to the next page (or {"next": address}), or with the page
// and what is wrong. The server stores one answer a `key`, so a retry is never stored twice.

const AFTER_CHANGE_MS = 500;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
const KEPT_MS = 7 * 24 * 3_600_000;
const PREFIX = "parallax:draft:";
const OWN = new Set(["csrfmiddlewaretoken", "key", "active_ms"]);
const WORDS = {
  saving: "Saving…",
  saved: "Saved",
  lost: "Connection lost. Your answer is kept here and will be sent.",
  refused: "Not saved: this page is out of date. Please reload it; your answer is kept here.",
};

const form = document.querySelector("[data-judgment]");
const status = document.querySelector("[data-status]");
const button = form.querySelector("[data-next]");
const draftUrl = form.getAttribute("data-draft-url");
const name = PREFIX + [draftUrl, form.getAttribute("data-keep")].join(" ");
let changes = 0;
let stored = 0;
let busy = false;
let submitting = false;
let retries = 0;
let timer = 0;

function show(state) {
  status.dataset.state = state;
  if (status.textContent.trim() !== WORDS[state]) status.textContent = WORDS[state];
}

const body = () => new URLSearchParams(new FormData(form));

function keepHere() {
  const entries = [...body()].filter(([key]) => !OWN.has(key));
  try {
    localStorage.setItem(name, JSON.stringify({ at: Date.now(), entries }));
  } catch {
    // A browser that keeps nothing still sends drafts to the server.
  }
}

function forget() {
  try {
    localStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
}

// Takes back what was kept but never confirmed, and clears away what is too old to matter.
function takeBack() {
  try {
    for (const key of Object.keys(localStorage).filter((k) => k.startsWith(PREFIX))) {
      if (Date.now() - JSON.parse(localStorage.getItem(key)).at > KEPT_MS) localStorage.removeItem(key);
    }
    const kept = JSON.parse(localStorage.getItem(name));
    if (!kept) return;
    for (const input of form.querySelectorAll("[data-question] [name]")) {
      const values = kept.entries.filter(([key]) => key === input.name).map(([, value]) => value);
      if (input.matches("[type=radio], [type=checkbox]")) input.checked = values.includes(input.value);
      else input.value = values[0] ?? "";
    }
    form.dispatchEvent(new Event("change", { bubbles: true }));
  } catch {
    forget();
  }
}

function again(action) {
  show("lost");
  clearTimeout(timer);
  timer = setTimeout(action, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** retries));
  retries += 1;
}

async function post(url) {
  const headers = { Accept: "application/json, text/html;q=0.9" };
  const response = await fetch(url, { method: "POST", body: body(), headers, credentials: "same-origin" });
  if (response.status >= 500 || response.status === 429) throw new Error(`status ${response.status}`);
  return response;
}

async function saveDraft() {
  clearTimeout(timer);
  if (!draftUrl || busy || submitting || stored === changes) return;
  busy = true;
  const sent = changes;
  if (status.dataset.state !== "lost") show("saving");
  try {
    const response = await post(draftUrl);
    const confirmed = response.ok && !response.redirected && (await response.json()).stored === true;
    if (confirmed) stored = sent;
    if (confirmed && stored === changes) forget();
    retries = 0;
    if (!submitting) show(confirmed ? "saved" : "refused");
    if (confirmed && stored !== changes) timer = setTimeout(saveDraft, AFTER_CHANGE_MS);
  } catch {
    if (!submitting) again(saveDraft);
  } finally {
    busy = false;
  }
}

async function submit() {
  clearTimeout(timer);
  try {
    const response = await post(form.getAttribute("action") || location.href);
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    const next = isJson ? (await response.json()).next : response.redirected && response.url;
    if (next) forget();
    // Without a next page the server has something to say: let the browser show it.
    if (next) location.assign(next);
    else HTMLFormElement.prototype.submit.call(form);
  } catch {
    again(submit);
  }
}

function changed() {
  if (submitting) return;
  changes += 1;
  keepHere();
  clearTimeout(timer);
  timer = setTimeout(saveDraft, AFTER_CHANGE_MS);
}

function leaving() {
  if (draftUrl && !submitting && stored !== changes) navigator.sendBeacon(draftUrl, body());
}

form.addEventListener("input", changed);
form.addEventListener("change", changed);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (submitting || !button) return;
  submitting = true;
  button.disabled = true;
  keepHere();
  show("saving");
  submit();
});
addEventListener("online", () => (submitting ? submit() : saveDraft()));
addEventListener("pagehide", leaving);
document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && leaving());
// A page that comes back from the history may be long past: ask the server where the person is.
addEventListener("pageshow", (event) => event.persisted && location.reload());

if (status.textContent.trim() === WORDS.saved) show("saved");
takeBack();
