// Counts down in the bar, and says five minutes and one minute before the time of a set is over that
// it will be, and then that it is. Each is said once a set: the pages that follow show the bar alone.
// Counted from the seconds that the server gave, as the clock of this device may be wrong.

const WARN_AT_S = [300, 60, 0];
const IN_HOURS_S = 3 * 3_600;
const TICK_MS = 1_000;

const bar = document.querySelector("[data-seconds-left]");
const shown = bar.querySelector("[data-time]");
const warning = document.querySelector("[data-time-warning]");
const end = Date.now() + Number(bar.dataset.secondsLeft) * 1_000;

function words(seconds) {
  if (seconds > IN_HOURS_S) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.ceil(seconds / 60)} min`;
}

function sentence(seconds) {
  if (seconds === 0)
    return "The time for this set is over. You may still go on: your answers are kept, though somebody else may take the set.";
  const minutes = Math.ceil(seconds / 60);
  return `${minutes === 1 ? "One minute is" : `${minutes} minutes are`} left for this set. Each answer is stored as you give it.`;
}

// Whether this was not said yet; a browser that keeps nothing says it on every page.
function isNews(threshold) {
  const name = `parallax:warned ${bar.dataset.lease} ${threshold}`;
  try {
    const news = sessionStorage.getItem(name) === null;
    sessionStorage.setItem(name, "1");
    return news;
  } catch {
    return warning.dataset.said !== String(threshold);
  }
}

function warn(seconds) {
  const threshold = WARN_AT_S.findLast((at) => seconds <= at);
  if (threshold === undefined || !isNews(threshold)) return;
  warning.dataset.said = threshold;
  warning.textContent = sentence(seconds);
}

function tick() {
  const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1_000));
  const now = words(seconds);
  if (shown.textContent !== now) shown.textContent = now;
  bar.toggleAttribute("data-soon", seconds <= WARN_AT_S[0]);
  warn(seconds);
}

setInterval(tick, TICK_MS);
tick();
