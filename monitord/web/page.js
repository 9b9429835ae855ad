// Renews the status page in place. Everything here is comfort: the page is whole without it.
"use strict";

(() => {
  const updated = document.getElementById("updated");
  if (!updated) return; // a page that stands still

  const patience = 15000; // ms for an answer
  const pause = document.getElementById("pause");
  let interval = Number(updated.dataset.interval) || 2000;

  function say_that_it_is_old() {
    if (!updated.classList.contains("old")) updated.textContent += ". monitord does not answer: this is old.";
    updated.classList.add("old");
  }

  async function document_at(address) {
    const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(patience) });
    if (!answer.ok) throw new Error(String(answer.status));
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  }

  /// Calls `renew` again and again, but not while nobody looks or wants it.
  function keep_renewing(renew) {
    async function tick() {
      if (pause.getAttribute("aria-pressed") !== "true" && !document.hidden) {
        try {
          await renew();
          updated.classList.remove("old");
        } catch {
          say_that_it_is_old();
        }
      }
      window.setTimeout(tick, interval);
    }
    pause.hidden = false;
    pause.addEventListener("click", () => {
      pause.setAttribute("aria-pressed", String(pause.getAttribute("aria-pressed") !== "true"));
    });
    window.setTimeout(tick, interval);
  }

  // A page that is renewed as a whole: charts and events

  const renewed = document.getElementById("renewed");

  async function renew_whole() {
    const page = await document_at(window.location.href);
    const places = () => Array.from(renewed.querySelectorAll("a, [tabindex]"));
    const focused = places().indexOf(document.activeElement);
    const scrolled = places().map((place) => place.scrollLeft);
    renewed.replaceChildren(...page.getElementById("renewed").childNodes);
    places().forEach((place, i) => { if (scrolled[i]) place.scrollLeft = scrolled[i]; });
    if (focused >= 0) places()[focused]?.focus({ preventScroll: true });
    updated.textContent = page.getElementById("updated").textContent;
  }

  if (renewed) {
    interval = Math.max(interval, 5000); // these pages move slowly
    keep_renewing(renew_whole);
    return;
  }

  // The status page: row by row

  const pools = document.getElementById("pools");
  const first_text = 1; // cell of the first text; before it is the destination's name
  const charts_every = 10000; // ms; charts of ten minutes move slowly, and are most of the bytes
  const banner = document.getElementById("banner");
  const facts = document.getElementById("facts");
  const form = document.getElementById("tools");
  const filter = form.elements.q;
  const look = form.elements.look;
  let rows = new Map();
  let charts_at = 0;
  let html_of_banner = "";

  // What a row shows is kept beside it: asking the document for it would be slow with 500 of them.
  function entry_of(row) {
    const cells = Array.from(row.cells);
    const sparks = Array.from(row.querySelectorAll(".spark path"));
    const text_count = cells.length - first_text - sparks.length;
    const texts = cells.slice(first_text, first_text + text_count);
    const why = texts.pop();
    const nodes = [...texts, why.firstElementChild, why.lastElementChild];
    return { row, nodes, sparks, shown: nodes.map((node) => node.textContent), changed: null };
  }

  function index_rows() {
    rows = new Map();
    for (const row of pools.querySelectorAll("tr[data-key]")) rows.set(row.dataset.key, entry_of(row));
    for (const head of pools.querySelectorAll("th[data-sort] > span")) make_sortable(head);
  }

  // Filter

  function apply_filter() {
    const wanted = filter.value.trim().toLowerCase();
    for (const { row, shown } of rows.values()) {
      const text = () => (row.dataset.key + " " + row.cells[0].textContent + " " + shown.join(" ")).toLowerCase();
      const fits = (!look.checked || "look" in row.dataset) && (wanted === "" || text().includes(wanted));
      if (row.hidden === fits) row.hidden = !fits;
    }
    for (const pool of pools.querySelectorAll(".pool")) {
      pool.hidden = pool.querySelector("tbody tr:not([hidden])") === null;
    }
  }

  function filter_changed() {
    const query = new URLSearchParams();
    if (filter.value !== "") query.set("q", filter.value);
    if (look.checked) query.set("look", "1");
    const text = query.toString();
    window.history.replaceState(null, "", text === "" ? "/" : "/?" + text);
    apply_filter();
  }

  // Sorting: each service by itself, by what a click on a heading asks for

  function make_sortable(head) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort_by(button.closest("th")));
    head.replaceWith(button);
  }

  function sort_by(heading) {
    const ascending = heading.getAttribute("aria-sort") !== "ascending";
    for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    const column = heading.cellIndex;
    const as_number = heading.dataset.sort === "number";
    const value = (row) => {
      const text = row.cells[column].textContent;
      if (!as_number) return text;
      const number = parseFloat(text);
      return Number.isNaN(number) ? -Infinity : number; // unknown ones come before all others
    };
    const order = new Intl.Collator(undefined, { numeric: true });
    const compare = (a, b) => (as_number ? a - b : order.compare(a, b));
    const body = heading.closest("table").tBodies[0];
    const keyed = Array.from(body.rows, (row) => [value(row), row]);
    keyed.sort((a, b) => (ascending ? compare(a[0], b[0]) : compare(b[0], a[0])));
    body.append(...keyed.map(([, row]) => row));
  }

  // Renewal

  function show_row(entry, [style, needs_look, ...rest]) {
    const { row, nodes, sparks, shown } = entry;
    if (row.className !== style) row.className = style;
    if (needs_look !== "look" in row.dataset) row.toggleAttribute("data-look", needs_look);
    if (entry.changed) entry.changed.classList.remove("changed");
    entry.changed = null;
    for (let i = 0; i < nodes.length; i++) {
      if (shown[i] === rest[i]) continue;
      nodes[i].textContent = shown[i] = rest[i];
      if (i === 1) entry.changed = nodes[i]; // the weight, which is what this is all about
    }
    if (entry.changed) entry.changed.classList.add("changed");
    sparks.forEach((spark, i) => {
      const path = rest[nodes.length + i];
      if (path !== undefined && spark.getAttribute("d") !== path) spark.setAttribute("d", path);
    });
  }

  function show_pools(live) {
    for (const section of pools.querySelectorAll(".pool")) {
      const pool = live.pools[section.dataset.pool];
      if (!pool) continue;
      section.querySelector(".line").textContent = pool.line;
      if (pool.bars !== null) section.querySelector(".bars").innerHTML = pool.bars;
    }
  }

  function is_same_table(live) {
    const keys = Object.keys(live.rows);
    return keys.length === rows.size && keys.every((key) => rows.has(key));
  }

  // The table itself has changed: the page as the server makes it has the new one.
  async function rebuild() {
    const page = await document_at("/");
    pools.replaceChildren(...page.getElementById("pools").childNodes);
    index_rows();
  }

  async function show(live) {
    interval = live.interval_ms;
    if (!is_same_table(live)) {
      await rebuild();
    } else {
      for (const [key, row] of Object.entries(live.rows)) show_row(rows.get(key), row);
      show_pools(live);
    }
    facts.innerHTML = live.facts;
    if (html_of_banner !== live.banner) banner.innerHTML = html_of_banner = live.banner; // it is read aloud
    updated.textContent = live.updated;
    apply_filter();
  }

  async function renew() {
    const now = Date.now();
    const charts = now - charts_at >= charts_every;
    const answer = await fetch(charts ? "/api/live?charts=1" : "/api/live",
                               { cache: "no-store", signal: AbortSignal.timeout(patience) });
    if (!answer.ok) throw new Error(String(answer.status));
    await show(await answer.json());
    if (charts) charts_at = now;
  }

  form.addEventListener("submit", (event) => { event.preventDefault(); filter_changed(); });
  filter.addEventListener("input", filter_changed);
  look.addEventListener("change", filter_changed);
  form.querySelector("button[type=submit]").hidden = true;
  html_of_banner = banner.innerHTML;
  index_rows();
  apply_filter();
  keep_renewing(renew);
})();
