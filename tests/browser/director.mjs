// A director that moves, and a browser that looks at it and keeps every complaint.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const patience = 60_000; // ms; something that never comes has to fail the test

export async function start_director(servers) {
  const child = spawn(process.env.DIRECTOR, [String(servers)], { stdio: ["pipe", "pipe", "inherit"] });
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  return {
    url: `http://127.0.0.1:${port}`,
    say: (word) => child.stdin.write(word + "\n"),
    async stop() {
      if (child.exitCode !== null) return;
      child.stdin.end();
      await once(child, "exit");
    },
  };
}

export function start_browser() {
  // Everything here runs as root in a machine of its own, where Chromium's sandbox cannot.
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
}

/// A page, and what console, scripts and network had to complain of.
export async function open_page(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => {
    // What was under way when the test ended is no complaint.
    const reason = request.failure()?.errorText ?? "";
    if (reason !== "net::ERR_ABORTED") complaints.push(`${request.url()}: ${reason}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()}: ${response.status()}`);
  });
  await page.goto(url);
  return { page, complaints, close: () => context.close() };
}

/// Until `holds`, evaluated in the page, is true. Playwright's own waitForFunction() needs eval() in the page, which
/// its policy forbids.
export async function until(page, holds, argument) {
  const end = Date.now() + patience;
  while (!(await page.evaluate(holds, argument))) {
    if (Date.now() > end) throw new Error(`never true: ${holds}`);
    await page.waitForTimeout(50);
  }
}
