import type { Browser, CDPSession } from "@playwright/test";

import { startBrowser } from "../lib/browser.ts";
import { benchFrames } from "./frames.ts";
import type { Row } from "./table.ts";
import { visit } from "./visit.ts";

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

interface Request {
  url: string;
  type: string;
  bytes: number;
}

/** The requests of a page by id, with the bytes on the wire, headers included. */
function watch(session: CDPSession): ReadonlyMap<string, Request> {
  const requests = new Map<string, Request>();
  session.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    if (!request.url.startsWith("data:") && !request.url.startsWith("blob:"))
      requests.set(requestId, { url: request.url, type: type ?? "Other", bytes: 0 });
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request) request.bytes = encodedDataLength;
  });
  return requests;
}

async function load(browser: Browser, address: string): Promise<Request[]> {
  const { cookie } = await visit(address);
  const [name = "", value = ""] = cookie.split("=");
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  try {
    await context.addCookies([{ name, value, url: address }]);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const requests = watch(session);
    await session.send("Network.enable");
    await page.goto(`${address}/shop`, { waitUntil: "networkidle" });
    return [...requests.values()];
  } finally {
    await context.close();
  }
}

/** Bytes and requests of the first view of /shop for a guest with an empty cache at 412 px, and the time from a tap to an overlay. */
export async function benchPages(address: string): Promise<Row[]> {
  const browser = await startBrowser();
  try {
    const requests = await load(browser, address);
    const sum = (of: (request: Request) => boolean) => requests.filter(of).reduce((all, { bytes }) => all + bytes, 0);
    const scripts = sum(({ type }) => type === "Script");
    const all = sum(() => true);
    const foreign = requests.filter(({ url }) => new URL(url).origin !== new URL(address).origin);
    const part = (what: string, bytes: number): Row => ({
      what: `/shop: ${what}`,
      value: kilobytes(bytes),
      wanted: "",
      good: true,
    });
    return [
      { what: "/shop: JavaScript", value: kilobytes(scripts), wanted: "≤ 122 kB", good: scripts <= 122_000 },
      part(
        "styles",
        sum(({ type }) => type === "Stylesheet"),
      ),
      part(
        "fonts",
        sum(({ type }) => type === "Font"),
      ),
      part(
        "HTML",
        sum(({ type }) => type === "Document"),
      ),
      part(
        "pictures",
        sum(({ type }) => type === "Image"),
      ),
      part(
        "calls",
        sum(({ type }) => type === "Fetch" || type === "XHR"),
      ),
      { what: "/shop: all of it", value: kilobytes(all), wanted: "≤ 380 kB", good: all <= 380_000 },
      { what: "/shop: requests", value: String(requests.length), wanted: "≤ 24", good: requests.length <= 24 },
      {
        what: "/shop: requests to other origins",
        value: String(foreign.length),
        wanted: "0",
        good: foreign.length === 0,
      },
      ...(await benchFrames(browser, address)),
    ];
  } finally {
    await browser.close();
  }
}
