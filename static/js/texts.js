// The keyboard of the texts: keys count only while a text has the focus, and never in a field.

const texts = [...document.querySelectorAll("[data-text]")];
const KEYS = { a: "accept", h: "refuse", u: "reopen" };

function move(from, by) {
  texts[texts.indexOf(from) + by]?.focus();
}

document.addEventListener("keydown", (event) => {
  const text = event.target.closest("[data-text]");
  if (!text || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  if (event.target.closest("textarea")) return;
  const key = event.key.toLowerCase();
  const details = text.querySelector("details");
  if (key === "j" || key === "k") move(text, key === "j" ? 1 : -1);
  else if (key === "e" && details) {
    details.open = true;
    details.querySelector("textarea").focus();
  } else if (key in KEYS) text.querySelector(`[value=${KEYS[key]}]`)?.click();
  else return;
  event.preventDefault();
});

const told = document.querySelector("[data-keys-told]");
if (told) told.hidden = false;
// After a decision the next text is at hand.
if (document.querySelector(".undo")) texts[0]?.focus({ preventScroll: true });
