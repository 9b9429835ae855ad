// screenshots.mjs PAGE ANSI-FILE DIRECTORY: pictures of the status page, and of a terminal's screen as tmux gave it.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [page_url, terminal_file, directory] = process.argv.slice(2);
const colours = ["#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dee9"];
const bright = ["#7f8896", "#ff7b86", "#b5e890", "#ffd787", "#82c7ff", "#dd9bf0", "#7fd7e0", "#ffffff"];

function colour_256(number) {
  if (number < 8) return colours[number];
  if (number < 16) return bright[number - 8];
  if (number >= 232) return `rgb(${Array(3).fill(8 + 10 * (number - 232)).join()})`;
  const level = (part) => (part === 0 ? 0 : 55 + 40 * part);
  const cube = number - 16;
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join()})`;
}

/// What "select graphic rendition" (ECMA-48, 8.3.117) with these numbers makes of a style.
function styled(style, numbers) {
  const next = { ...style };
  for (let i = 0; i < numbers.length; i++) {
    const n = numbers[i];
    if (n === 0) for (const key of Object.keys(next)) delete next[key];
    else if (n === 1) next.bold = true;
    else if (n === 2) next.dim = true;
    else if (n === 4) next.underlined = true;
    else if (n === 7) next.reversed = true;
    else if (n === 22) delete next.bold, delete next.dim;
    else if (n === 24) delete next.underlined;
    else if (n === 27) delete next.reversed;
    else if (n >= 30 && n <= 37) next.front = colours[n - 30];
    else if (n >= 90 && n <= 97) next.front = bright[n - 90];
    else if (n >= 40 && n <= 47) next.back = colours[n - 40];
    else if (n === 39) delete next.front;
    else if (n === 49) delete next.back;
    else if ((n === 38 || n === 48) && numbers[i + 1] === 5) {
      next[n === 38 ? "front" : "back"] = colour_256(numbers[i + 2]);
      i += 2;
    }
  }
  return next;
}

function css_of(style) {
  let [front, back] = [style.front ?? "#d8dee9", style.back ?? "#1e222a"];
  if (style.reversed) [front, back] = [back, front];
  return `color:${front};background:${back};font-weight:${style.bold ? 700 : 400};` +
    `opacity:${style.dim ? 0.65 : 1};text-decoration:${style.underlined ? "underline" : "none"}`;
}

function html_of_screen(text) {
  const escaped = (part) => part.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  let style = {};
  let html = "";
  for (const part of text.replace(/\n+$/, "\n").split(/(\x1b\[[0-9;]*m)/)) {
    const codes = /^\x1b\[([0-9;]*)m$/.exec(part);
    if (codes) style = styled(style, codes[1].split(/;/).map(Number));
    else if (part) html += `<span style="${css_of(style)}">${escaped(part)}</span>`;
  }
  return `<pre style="display:inline-block;margin:0;padding:14px;background:#1e222a;` +
    `font:14px/1.25 'DejaVu Sans Mono',monospace">${html}</pre>`;
}

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
async function shoot(name, { width, height, scheme = "light" }, fill) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  const page = await context.newPage();
  await fill(page);
  const path = `${directory}/${name}.png`;
  const target = name === "top" ? page.locator("pre") : page;
  await target.screenshot(name === "top" ? { path } : { path, fullPage: name !== "server" });
  await context.close();
}
const visit = (path) => async (page) => {
  await page.goto(page_url + path);
  await page.waitForTimeout(5000); // renewals have come
};
await shoot("page", { width: 1400, height: 620 }, visit("/"));
await shoot("server", { width: 1400, height: 800 }, visit("/server/10.2.0.13"));
await shoot("top", { width: 1400, height: 800 }, (page) => page.setContent(html_of_screen(readFileSync(terminal_file, "utf8"))));
await browser.close();
