// What pages gain with script; without it everything still works. No other library than htmx, nothing inline.
"use strict";

(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // Buttons that only work with script are hidden until it is there.
  const reveal = (root) => all("[data-copy], [data-show], [data-print], .tick-all", root).forEach((element) => { element.hidden = false; });

  const say = (button, text) => {
    const before = button.textContent;
    button.textContent = text;
    setTimeout(() => { button.textContent = before; }, 1600);
  };

  const copy = async (button) => {
    const source = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    say(button, button.dataset.copiedText);
  };

  const show = (button) => {
    const field = document.getElementById(button.dataset.show);
    const hidden = field.type === "password";
    field.type = hidden ? "text" : "password";
    button.textContent = hidden ? button.dataset.hideText : button.dataset.showText;
    button.setAttribute("aria-pressed", String(hidden));
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.copy) copy(button);
    else if (button.dataset.show) show(button);
    else if ("print" in button.dataset) window.print();
  });

  document.addEventListener("change", (event) => {
    const name = event.target.dataset?.tick;
    if (name) all(`input[name="${name}"]`).forEach((box) => { box.checked = event.target.checked; });
  });

  // On paper nothing can be opened: what is folded is printed open, and folded again.
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = all("details.fold:not([open])");
    unfolded.forEach((element) => { element.open = true; });
  });
  addEventListener("afterprint", () => { unfolded.forEach((element) => { element.open = false; }); });

  // The registration form is not believed when it is sent faster than anybody types: wait instead of being refused.
  const opened = Date.now();
  document.addEventListener("submit", (event) => {
    const form = event.target;
    const left = Number(form.dataset.wait || 0) * 1000 + 500 - (Date.now() - opened);
    if (!form.dataset.wait || left <= 0) return;
    event.preventDefault();
    all("button:not([type=button])", form).forEach((button) => { button.disabled = true; });
    setTimeout(() => form.submit(), left);
  });

  // The menu of a low window scrolls: begin where you are.
  document.querySelector(".rail [aria-current=page]")?.scrollIntoView({ block: "nearest" });

  // What a page only passes on to another host is sent at once; its button is for browsers without script.
  all("form[data-send]").forEach((form) => form.submit());

  // What makes a link of a letter good stands after its #, which no server is told; it leaves the address, and the history, at once.
  const fromFragment = () => all("input[data-fragment]").forEach((field) => {
    if (!location.hash) return;
    field.value = location.hash.slice(1);
    history.replaceState(null, "", location.pathname);
  });
  fromFragment();
  addEventListener("hashchange", fromFragment);

  // The browser knows its time zone better than any default.
  const zone = document.querySelector("input[data-guess]");
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !zone.closest(".wrong") && !document.querySelector(".errorlist") && all("#time-zones option").some((option) => option.value === here)) zone.value = here;

  // What is left open in the filters of a list does not stand in its address.
  document.addEventListener("htmx:configRequest", (event) => {
    if (!event.target.matches("form.filters")) return;
    const asked = event.detail.formData;
    [...asked.keys()].filter((name) => !asked.get(name)).forEach((name) => asked.delete(name));
  });

  // Parts renew themselves: what somebody opened stays open.
  let open = [];
  document.addEventListener("htmx:beforeSwap", (event) => { open = all("details[open][id]", event.detail.target).map((element) => element.id); });
  document.addEventListener("htmx:afterSettle", () => {
    open.forEach((id) => { const element = document.getElementById(id); if (element) element.open = true; });
    reveal(document);
  });

  // A part that cannot be renewed says so; the next answer takes it back.
  const offline = document.getElementById("offline");
  const lost = (is) => { if (offline) offline.hidden = !is; };
  document.addEventListener("htmx:sendError", () => lost(true));
  document.addEventListener("htmx:timeout", () => lost(true));
  document.addEventListener("htmx:responseError", (event) => lost(event.detail.xhr.status >= 500));
  document.addEventListener("htmx:afterOnLoad", () => lost(false));

  // A refusal that comes with a page part is shown like any other.
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const status = event.detail.xhr.status;
    if ([409, 422, 502, 503].includes(status)) { event.detail.shouldSwap = true; event.detail.isError = false; }
  });

  reveal(document);
})();
