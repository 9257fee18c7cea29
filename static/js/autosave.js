// Saves a draft at the server half a second after each change, and sends the answer; through a lost
// connection it tries again until it has succeeded. What the status says is what is known to be so.
// `data-draft-url` answers {"stored": true}; the page's own address answers with a redirect (or
// {"next": address}), or with the page and what is wrong. The server stores one answer a `key`, so
// nothing that is sent again is stored twice; what is changed after it was sent gets a new key, as
// the server may have stored what came before though its answer was lost. A draft carries the key
// too: one that arrives after its submission is known to be old.

const AFTER_CHANGE_MS = 500;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
const LONGEST_WAIT_MS = 2_000;
const WORDS = {
  saving: "Saving…",
  saved: "Saved",
  lost: "Connection lost. Your answer is kept here and will be sent.",
  refused: "Not saved: this page is out of date. Please reload it; your answer is kept here.",
};

const form = document.querySelector("[data-judgment]");
const status = document.querySelector("[data-status]");
const button = form.querySelector("[data-next]");
const key = form.querySelector("[name=key]");
const draftUrl = form.getAttribute("data-draft-url");
let changes = 0;
let stored = 0;
let inFlight = null;
let aborter = null;
let sentKey = null;
let submitting = false;
let sending = false;
let retries = 0;
let timer = 0;

function show(state) {
  status.dataset.state = state;
  if (status.textContent.trim() !== WORDS[state]) status.textContent = WORDS[state];
}

const body = () => new URLSearchParams(new FormData(form));

// Not randomUUID, which a page without HTTPS does not have.
const newKey = () => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");

// What is confirmed need not be kept in this browser any longer: see kept.js.
const confirmStored = () => form.dispatchEvent(new CustomEvent("answer:stored"));

function again(action) {
  show("lost");
  clearTimeout(timer);
  timer = setTimeout(action, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** retries));
  retries += 1;
}

async function post(url, signal) {
  const headers = { Accept: "application/json, text/html;q=0.9" };
  const credentials = "same-origin";
  const response = await fetch(url, { method: "POST", body: body(), headers, credentials, signal });
  if (response.status >= 500 || response.status === 429) throw new Error(`status ${response.status}`);
  return response;
}

function saveDraft() {
  clearTimeout(timer);
  if (!draftUrl || inFlight || submitting || stored === changes) return;
  aborter = new AbortController();
  inFlight = sendDraft(changes, aborter.signal).finally(() => {
    inFlight = null;
  });
}

async function sendDraft(sent, signal) {
  if (status.dataset.state !== "lost") show("saving");
  try {
    const response = await post(draftUrl, signal);
    const confirmed = response.ok && !response.redirected && (await response.json()).stored === true;
    if (confirmed) stored = sent;
    if (confirmed && stored === changes) confirmStored();
    retries = 0;
    if (!submitting) show(confirmed ? "saved" : "refused");
    if (confirmed && stored !== changes) timer = setTimeout(saveDraft, AFTER_CHANGE_MS);
  } catch {
    if (!submitting) again(saveDraft);
  }
}

// A draft on its way must not arrive after the answer that replaces it.
async function endDraft() {
  await Promise.race([inFlight, new Promise((done) => setTimeout(done, LONGEST_WAIT_MS))]);
  aborter?.abort();
  await inFlight;
}

// Returns the address of the next page, or nothing where the server has something to say.
async function sendAnswer() {
  sentKey = key.value;
  const response = await post(form.getAttribute("action") || location.href);
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  const next = isJson ? (await response.json()).next : response.redirected && response.url;
  // What was changed in the meantime has another key and follows.
  return next && key.value !== sentKey ? sendAnswer() : next;
}

async function submit() {
  clearTimeout(timer);
  if (sending) return;
  sending = true;
  try {
    await endDraft();
    const next = await sendAnswer();
    if (next) confirmStored();
    // What the server has to say the browser shows.
    if (next) location.assign(next);
    else HTMLFormElement.prototype.submit.call(form);
  } catch {
    again(submit);
  } finally {
    sending = false;
  }
}

function changed() {
  if (key.value === sentKey) key.value = newKey();
  if (submitting) return;
  changes += 1;
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
  show("saving");
  submit();
});
addEventListener("online", () => (submitting ? submit() : saveDraft()));
addEventListener("pagehide", leaving);
document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && leaving());
// A page that comes back from the history may be long past: ask the server where the person is.
addEventListener("pageshow", (event) => event.persisted && location.reload());

if (status.textContent.trim() === WORDS.saved) show("saved");
