/*
 * Without a network the market still opens: the shop as it was rendered last, with its feed and cart, and the code that
 * page needs. Everything else is the network's: no call, no picture, no frame is answered from what is kept here.
 *
 * PAGE holds one page, the shop's last; it is personal, so any login, logout or new guest throws it away. CODE holds files
 * of /assets, whose names say what is in them: one of another build is never taken for one of this.
 */
const PAGE = "marketday-page-1";
const CODE = "marketday-code-1";
const SHELL = "/shop";
/** Files kept: two builds of all there is. */
const MOST = 400;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  for (const name of await caches.keys())
    if (name.startsWith("marketday-") && name !== PAGE && name !== CODE) await caches.delete(name);
  await self.clients.claim();
}

/** Rises whenever the page that is kept is thrown away: one that was requested before is not stored after. */
let era = 0;

async function forgetPage() {
  era += 1;
  await caches.delete(PAGE).catch(() => false);
}

/** The server's own answer. Until it is there a page may still be rendered for the person of before. */
async function changeOf(request) {
  void forgetPage();
  try {
    return await fetch(request);
  } finally {
    await forgetPage();
  }
}

/** Keeps the shop's page as the server paints it now, once all the code it names is here. */
async function keepShell() {
  const mine = era;
  const answer = await fetch(SHELL, { headers: { accept: "text/html" }, credentials: "same-origin" });
  if (!answer.ok || answer.redirected) return;
  const html = await answer.text();
  const code = await caches.open(CODE);
  const files = new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file));
  for (const file of files) if (!(await code.match(file))) await code.add(file);
  // Says of itself that it is not of this moment.
  const kept = html.replace("<html ", `<html data-kept="" `);
  if (mine !== era) return;
  const page = await caches.open(PAGE);
  await page.put(SHELL, new Response(kept, { headers: answer.headers }));
  if (mine !== era) await caches.delete(PAGE);
}

/** The kept page is shown when the network has not answered by then, ms; it is replaced by the current one automatically. */
const PAGE_DEADLINE = 4000;

async function pageFor(request) {
  const answer = fetch(request);
  // Its failure is read below, also when it comes after the deadline.
  answer.catch(() => undefined);
  const late = new Promise((done) => setTimeout(done, PAGE_DEADLINE));
  const first = await Promise.race([answer.catch(() => undefined), late]);
  if (first) return first;
  const kept = await (await caches.open(PAGE)).match(SHELL);
  return kept ?? answer;
}

async function codeFor(request) {
  const cache = await caches.open(CODE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.status === 200) {
    await cache.put(request, answer.clone());
    const names = await cache.keys();
    for (const old of names.slice(0, Math.max(0, names.length - MOST))) await cache.delete(old);
  }
  return answer;
}

/** Another person is signed in, or no one, or the market is another: the stored page is not theirs. */
const CHANGES = /^\/api\/(?:auth\/(?:login|logout|register|guest)|account|hubs\/\d+\/switch)(?:\/|$)/;

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method !== "GET") {
    if (CHANGES.test(pathname)) event.respondWith(changeOf(request));
    return;
  }
  if (pathname.startsWith("/assets/")) event.respondWith(codeFor(request));
  else if (
    request.mode === "navigate" &&
    request.destination === "document" &&
    !/^\/(?:api|embed|img|dev)\//.test(pathname)
  )
    event.respondWith(pageFor(request));
});

self.addEventListener("message", (event) => {
  if (event.data === "keep-shell") event.waitUntil(keepShell().catch(() => undefined));
});
