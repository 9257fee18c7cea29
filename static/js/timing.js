// How long the annotator was at work on the page: it is visible, has the focus, and something was
// done in the last minute. The sum stands in the hidden field `active_ms` of the form.

const IDLE_AFTER_MS = 60_000;
const TICK_MS = 1_000;
const SIGNS_OF_LIFE = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "scroll", "focus"];

const form = document.querySelector("[data-judgment]");
const field = form.querySelector("[name=active_ms]");
const store = ["parallax:active", form.dataset.draftUrl, form.dataset.keep].join(" ");
let total = Math.max(Number(field.value) || 0, earlier());
let since = performance.now();
let lastSign = since;
let atWork = isAtWork();

// What was spent before a reload in this tab.
function earlier() {
  try {
    return Number(sessionStorage.getItem(store)) || 0;
  } catch {
    return 0;
  }
}

function remember(sum) {
  try {
    sessionStorage.setItem(store, sum);
  } catch {} // A browser that keeps nothing counts from the last load.
}

function isAtWork() {
  return document.visibilityState === "visible" && document.hasFocus();
}

// Adds what has passed since the last call, as far as the person was there for it.
function settle() {
  const now = performance.now();
  if (atWork) total += Math.max(0, Math.min(now, lastSign + IDLE_AFTER_MS) - since);
  since = now;
  atWork = isAtWork();
  field.value = String(Math.round(total));
}

for (const sign of SIGNS_OF_LIFE) {
  addEventListener(
    sign,
    () => {
      settle();
      lastSign = performance.now();
    },
    { passive: true, capture: true },
  );
}
for (const change of ["visibilitychange", "blur", "pagehide", "submit"]) {
  addEventListener(change, settle, { capture: true });
}
let sent = false;
form.addEventListener("submit", () => {
  sent = true;
});
addEventListener("pagehide", () => remember(sent ? 0 : total));
setInterval(settle, TICK_MS);
