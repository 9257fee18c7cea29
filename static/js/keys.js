// The keyboard: one key chooses in the marked question, Enter goes on, ? lists the keys.
// The mark shows where a key goes: the question that has the focus, else the next one to answer.

const form = document.querySelector("[data-judgment]");
const dialog = document.querySelector("[data-keys]");
const opener = form.querySelector("[data-open-keys]");
const toggle = dialog.querySelector("[data-use-keys]");
const SWITCH = "parallax:keys";
const passed = new Set();
let marked = null;

const isVisible = (question) => question.offsetParent !== null;
const questions = () => [...form.querySelectorAll("[data-question]")].filter(isVisible);
const isOneOfMany = (question) => question?.dataset.input === "radio";

function remembered() {
  try {
    return localStorage.getItem(SWITCH) !== "off";
  } catch {
    return true;
  }
}

function useKeys(on) {
  document.documentElement.classList.toggle("keys-on", on);
  toggle.checked = on;
  try {
    localStorage.setItem(SWITCH, on ? "on" : "off");
  } catch {
    // A browser that keeps nothing uses the keys until the page is left.
  }
}

const areOn = () => document.documentElement.classList.contains("keys-on");

function isAnswered(question) {
  if (isOneOfMany(question)) return question.querySelector("input:checked") !== null;
  if (question.dataset.input === "number") return question.querySelector("[type=number]").value !== "";
  return question.dataset.input === "textarea" || passed.has(question);
}

function nextOpen() {
  const all = questions();
  const from = marked ? all.indexOf(marked) + 1 : 0;
  return [...all.slice(from), ...all.slice(0, from)].find((question) => !isAnswered(question)) ?? null;
}

function mark(question) {
  marked?.classList.remove("current");
  marked = question;
  marked?.classList.add("current");
}

function markAndShow(question) {
  mark(question);
  if (!question) return;
  question.scrollIntoView({ block: "nearest" });
  if (question.dataset.input === "number") question.querySelector("[type=number]").focus();
}

function choose(key) {
  const input = marked && [...marked.querySelectorAll("[data-shortcut]")].find((i) => i.dataset.shortcut === key);
  if (!input) return false;
  input.checked = isOneOfMany(marked) || !input.checked;
  const question = marked;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  if (isOneOfMany(question) && marked) marked.scrollIntoView({ block: "nearest" });
  return true;
}

function goOn() {
  const onward = document.querySelector("[data-go-on]");
  if (onward) {
    onward.click();
    return;
  }
  if (marked && !isOneOfMany(marked)) passed.add(marked);
  const open = questions().find((question) => !isAnswered(question));
  if (open) markAndShow(open);
  else form.requestSubmit(form.querySelector("[data-next]") ?? undefined);
}

function ownsEnter(target) {
  return target.closest("textarea, button, a, summary, select, dialog") !== null;
}

function ownsText(target) {
  return target.closest("textarea, [type=number], [type=range], select, dialog") !== null;
}

document.addEventListener("keydown", (event) => {
  if (!areOn() || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || dialog.open) return;
  if (event.key === "Enter" && !event.repeat && !ownsEnter(event.target)) {
    event.preventDefault();
    goOn();
  } else if (!ownsText(event.target) && event.key === "?") {
    event.preventDefault();
    dialog.showModal();
  } else if (!ownsText(event.target) && !event.repeat && choose(event.key.toLowerCase())) {
    event.preventDefault();
  }
});

form.addEventListener("focusin", (event) => {
  const question = event.target.closest("[data-question]");
  if (question) mark(question);
});
form.addEventListener("change", (event) => {
  if (event.target.type === "radio") mark(nextOpen());
});
// What is marked may have been hidden by an answer, and what it waited for may now be there.
form.addEventListener("questions:shown", () => {
  if (!marked || !isVisible(marked)) mark(nextOpen());
});
opener.addEventListener("click", () => dialog.showModal());
toggle.addEventListener("change", () => useKeys(toggle.checked));

opener.hidden = false;
useKeys(remembered());
mark(nextOpen());
