// The status page as people and assistive technology meet it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { open_page, start_browser, start_director, until } from "./director.mjs";

const axe_source = readFileSync(new URL("./node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const shots = process.env.SHOTS;
const fixed_rows = 6; // of the director's other destinations

let browser;
before(async () => { browser = await start_browser(); });
after(async () => { await browser.close(); });

/// Runs `look` on a page of a director, and wants no complaint after it.
async function on_page({ servers = 4, path = "/", complains = false, ...options }, look) {
  const director = await start_director(servers);
  const opened = await open_page(browser, director.url + path, options);
  try {
    await look(opened.page, director);
    if (!complains) assert.deepEqual(opened.complaints, []);
  } finally {
    await opened.close();
    await director.stop();
  }
}

const cycle_of = (page) =>
  page.locator("#updated").textContent().then((text) => Number(/Cycle (\d+)/.exec(text)?.[1]));

async function wait_for_cycles(page, count) {
  const from = await cycle_of(page);
  await until(
    page,
    ([start, more]) => Number(/Cycle (\d+)/.exec(document.getElementById("updated").textContent)?.[1]) >= start + more,
    [from, count]);
}

const rows = "tr[data-key]";

async function axe_violations(page) {
  // Through the debugger, where the page's own policy does not count.
  await page.evaluate(axe_source);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return result.violations.map((one) => `${one.id}: ${one.help} (${one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")})`);
}

describe("without a script", () => {
  test("everything is there as a table, and the filter is a form", () =>
    on_page({ javaScriptEnabled: false }, async (page) => {
      assert.match(await page.title(), /^Status - monitord on lvs1$/);
      assert.equal(await page.locator(rows).count(), fixed_rows + 4);
      assert.equal(await page.locator(".pool .shares").count(), 3);
      assert.equal(await page.locator(`${rows} .spark`).count(), 2 * (fixed_rows + 4));
      for (const fact of ["Mode", "Version", "Up", "Configuration", "Last reload", "Polls", "Answers", "Cycles take"])
        assert.equal(await page.locator("#facts dt", { hasText: new RegExp(`^${fact}$`) }).count(), 1, fact);
      assert.match(await page.locator("#banner").textContent(), /1 of 8 agents|Orders by hand/);
      await page.fill("input[name=q]", "fd00::11");
      await page.click("button[type=submit]");
      assert.equal(await page.locator(rows).count(), 1);
      await page.goto(new URL("/", page.url()).href);
      await page.check("input[name=look]");
      await page.click("button[type=submit]");
      for (const row of await page.locator(rows).all()) assert.notEqual(await row.getAttribute("data-look"), null);
    }));

  test("every link leads somewhere", () =>
    on_page({ javaScriptEnabled: false }, async (page) => {
      const links = await page.locator("a[href]").evaluateAll((all) => all.map((one) => one.href));
      assert.ok(links.length > 10);
      for (const link of new Set(links)) {
        const answer = await page.request.get(link);
        assert.equal(answer.status(), 200, link);
      }
    }));
});

describe("with its script", () => {
  test("it renews in place: rows stay the same, numbers and charts move", () =>
    on_page({}, async (page) => {
      const first = page.locator(`${rows}[data-key$="10.1.0.1:80"]`);
      const before_it = await first.evaluate((row) => {
        row.marked = true;
        return { text: row.textContent, spark: row.querySelector(".spark path").getAttribute("d") };
      });
      await wait_for_cycles(page, 15);
      const after_it = await first.evaluate((row) => ({ marked: row.marked, text: row.textContent }));
      assert.equal(after_it.marked, true);
      assert.notEqual(after_it.text, before_it.text);
      await until(
        page,
        (old) => document.querySelector(`tr[data-key$="10.1.0.1:80"] .spark path`).getAttribute("d") !== old,
        before_it.spark);
    }));

  test("an agent that falls silent is seen in its row and in the banner", () =>
    on_page({}, async (page, director) => {
      director.say("silence");
      const row = page.locator(`${rows}[data-key$="10.1.0.4:80"]`);
      await row.locator("td", { hasText: "✖ silent hold" }).waitFor();
      assert.match(await row.getAttribute("class"), /bad/);
      await page.locator("#banner", { hasText: "2 of 8 agents of tcp 10.9.9.9:80 are silent" }).waitFor();
    }));

  test("a server that joins appears, and the filter holds for it", () =>
    on_page({}, async (page, director) => {
      await page.fill("input[name=q]", "10.1.0.");
      assert.equal(await page.locator(`${rows}:visible`).count(), 4);
      director.say("add");
      await page.locator(`${rows}[data-key$="10.1.0.5:80"]`).waitFor();
      assert.equal(await page.locator(`${rows}:visible`).count(), 5);
      assert.match(page.url(), /\?q=10\.1\.0\.$/);
    }));

  test("a filter in the address holds from the start, and all rows come back without it", () =>
    on_page({ path: "/?q=fd00" }, async (page) => {
      assert.equal(await page.locator(`${rows}:visible`).count(), 1);
      await wait_for_cycles(page, 2);
      await page.fill("input[name=q]", "");
      await until(page, (count) => document.querySelectorAll("tr[data-key]:not([hidden])").length === count, fixed_rows + 4);
    }));

  test("events and a server's charts are renewed, without taking the focus, until they are paused", () =>
    on_page({ path: "/server/10.0.0.11" }, async (page) => {
      const first = await page.locator("#updated").textContent();
      await page.locator("#renewed a").first().focus();
      await until(page, (old) => document.getElementById("updated").textContent !== old, first);
      assert.equal(await page.evaluate(() => document.activeElement.closest("#renewed") !== null), true);
      await page.goto(new URL("/events", page.url()).href);
      const newest = () => page.locator("#renewed tbody tr").first().textContent();
      const before_it = await newest();
      await until(page, (old) => document.querySelector("#renewed tbody tr").textContent !== old, before_it);
      await page.click("#pause");
      await page.waitForTimeout(500); // an answer that was under way
      const held = await newest();
      await page.waitForTimeout(6000);
      assert.equal(await newest(), held);
    }));

  test("when monitord ends the page says that it is old", () =>
    on_page({ complains: true }, async (page, director) => {
      await wait_for_cycles(page, 2);
      await director.stop();
      await page.locator("#updated.old", { hasText: "does not answer" }).waitFor();
    }));

  test("the keyboard is enough: skip, filter, sort, pause", () =>
    on_page({}, async (page) => {
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate(() => document.activeElement.id), "content");
      const heading = page.locator(".pool").first().locator("th button", { hasText: /^Weight$/ });
      await heading.focus();
      await page.keyboard.press("Enter");
      const head = page.locator(".pool").first().locator("th", { has: page.locator("button", { hasText: /^Weight$/ }) });
      assert.equal(await head.getAttribute("aria-sort"), "ascending");
      await page.keyboard.press("Space");
      assert.equal(await head.getAttribute("aria-sort"), "descending");
      const pause = page.locator("#pause");
      await pause.focus();
      await page.keyboard.press("Space");
      assert.equal(await pause.getAttribute("aria-pressed"), "true");
      await page.waitForTimeout(500); // an answer that was under way
      const held = await cycle_of(page);
      await page.waitForTimeout(1500);
      assert.equal(await cycle_of(page), held);
      await page.keyboard.press("Space");
      await until(page, (old) => !document.getElementById("updated").textContent.includes(`Cycle ${old} `), held);
    }));

  test("sorting by a number puts the rows in its order", () =>
    on_page({}, async (page) => {
      await page.click("#pause");
      await page.waitForTimeout(500);
      const pool = page.locator(".pool").first();
      await pool.locator("th button", { hasText: /^Active$/ }).click();
      const column = await pool.locator("th[aria-sort]").evaluate((head) => head.cellIndex);
      const values = await pool.locator("tbody tr").evaluateAll((all, index) => all.map((row) => Number(row.cells[index].textContent)), column);
      assert.deepEqual(values, [...values].sort((a, b) => a - b));
    }));
});

test("500 servers: every cycle is shown, and no row is ever built anew", () =>
  on_page({ servers: 500 }, async (page) => {
    assert.equal(await page.locator(rows).count(), fixed_rows + 500);
    await page.evaluate(() => {
      globalThis.built = 0;
      globalThis.longest = 0;
      new MutationObserver((changes) => {
        for (const change of changes) {
          for (const node of change.addedNodes) if (node.nodeName === "TR" || node.querySelector?.("tr")) globalThis.built++;
        }
      }).observe(document.getElementById("pools"), { childList: true, subtree: true });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, entry.duration);
      }).observe({ type: "longtask" });
    });
    await wait_for_cycles(page, 30);
    assert.equal(await page.evaluate(() => globalThis.built), 0);
    console.log(`# longest task with 500 servers: ${await page.evaluate(() => Math.round(globalThis.longest))} ms`);
    await page.screenshot({ path: `${shots}/500.png` });
  }));

describe("looks", () => {
  const paths = { index: "/", server: "/server/10.0.0.11", events: "/events" };
  const widths = { wide: { width: 1400, height: 900 }, tablet: { width: 900, height: 1100 }, phone: { width: 390, height: 844 } };
  for (const [name, path] of Object.entries(paths)) {
    for (const [size, viewport] of Object.entries(widths)) {
      for (const colorScheme of ["light", "dark"]) {
        test(`${name}, ${size}, ${colorScheme}: fits its window, and axe-core has nothing against it`, () =>
          on_page({ path, viewport, colorScheme }, async (page) => {
            await page.waitForTimeout(600); // a renewal has come
            await page.screenshot({ path: `${shots}/${name}-${size}-${colorScheme}.png`, fullPage: true });
            const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
            assert.ok(wide <= viewport.width, `${wide} px wide`);
            assert.deepEqual(await axe_violations(page), []);
          }));
      }
    }
  }
});
