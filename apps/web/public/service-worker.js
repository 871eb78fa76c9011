/*
 * Without a network the market still opens: the shop as it was rendered last, with its feed and cart, and the code that
 * page needs. Everything else is the network's: no call, no picture, no frame is answered from what is kept here.
 *
 * PAGE holds one page, the shop's last, and for seconds the answers that came after it was shown in their place; they are
 * personal, so any login, logout or new guest throws them away. CODE holds files of /assets, whose names say what is in them: one
 * of another build is never taken for one of this.
 */
const PAGE = "marketday-page-1";
const CODE = "marketday-code-1";
const SHELL = "/shop";
/** Files kept: two builds of all there is. */
const MOST = 400;

/** The app's addresses, as its routes have them (src/app/routes.tsx). Any other page of the origin is the network's alone. */
const PAGES = [
  "/",
  "/about",
  "/account",
  "/blog",
  "/blog/:slug",
  "/bundles",
  "/bundles/:slug",
  "/collections",
  "/collections/:slug",
  "/collections/vendor/:slug",
  "/contact-us",
  "/driver-application",
  "/faq",
  "/favorites",
  "/gift-card",
  "/help",
  "/hubs",
  "/hubs/:id",
  "/inbox",
  "/inbox/:id",
  "/jobs",
  "/join",
  "/login",
  "/more",
  "/next-boxes",
  "/order-complete/:orderId",
  "/password-reset",
  "/password-reset/:jwt",
  "/privacy",
  "/product/:slug",
  "/products",
  "/products/:slug",
  "/profile",
  "/search",
  "/shop",
  "/subscription",
  "/support",
  "/terms",
  "/vendors",
  "/vendors/:slug",
  "/wagon-pass",
];
const isPage = new RegExp(`^(?:${PAGES.join("|").replaceAll(/:\w+/g, "[^/]+")})$`);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  for (const name of await caches.keys())
    if (name.startsWith("marketday-") && name !== PAGE && name !== CODE) await caches.delete(name);
  await self.clients.claim();
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** When a page was stored, ms since the epoch. */
const STORED = "x-stored";

// oxlint-disable-next-line no-restricted-properties -- the device's own time, as `deviceNow` of the app
const deviceNow = () => Date.now();

const toStore = (body, { status, headers }) => {
  const stored = new Response(body, { status, headers });
  stored.headers.set(STORED, String(deviceNow()));
  return stored;
};
const ageOf = (stored) => deviceNow() - Number(stored.headers.get(STORED));

/** Rises whenever the page that is kept is thrown away: one that was requested before is not stored after. */
let era = 0;

async function forgetPage() {
  era += 1;
  pending.clear();
  await caches.delete(PAGE).catch(() => false);
}

/** Stores a page that was requested in the era `mine`. */
async function putPage(key, answer, mine) {
  if (mine !== era) return;
  await (await caches.open(PAGE)).put(key, answer);
  if (mine !== era) await caches.delete(PAGE);
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

/** From a change of the session to the page that is kept after it, ms: one page is rendered for several changes. */
const AFTER_CHANGE = 3000;

/** Without a page to show the market would not open offline until the next one is loaded. */
async function keepAfter(change) {
  await change.catch(() => undefined);
  const mine = era;
  await pause(AFTER_CHANGE);
  if (mine === era) await keepShell(Infinity);
}

/** A page that opens is content with a kept one younger than this, ms: the server renders no other. */
const FRESH = 600_000;

/** The page that is being kept. */
let keeping = Promise.resolve();

/** Keeps the shop's page as the server renders it now, unless the kept one is younger than `ms`. */
async function keepShell(ms = 0) {
  await keeping;
  const mine = era;
  const kept = await (await caches.open(PAGE)).match(SHELL);
  if (kept && ageOf(kept) < ms) return;
  await keepAnswer(await fetch(SHELL, { headers: { accept: "text/html" }, credentials: "same-origin" }), mine);
}

/** Keeps an answer of the shop's page, once all the code it names is here. */
async function keepAnswer(answer, mine) {
  if (!answer.ok || answer.redirected) return;
  const html = await answer.text();
  const code = await caches.open(CODE);
  const files = new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file));
  for (const file of files) if (!(await code.match(file))) await code.add(file);
  // Says of itself that it is not of this moment.
  await putPage(SHELL, toStore(html.replace("<html ", `<html data-kept="" `), answer), mine);
}

/** The kept page is shown when the network has not answered by then, ms. */
const PAGE_DEADLINE = 4000;
/** A request whose page is not shown for it has failed by then, ms. */
const LATE_DEADLINE = 60_000;
/** A late answer is taken for one of this moment for so long, ms. */
const LATE_FRESH = 30_000;

/** Requests whose answer the kept page does not show, by URL: a slow server gets one at a time. Each ends with whether it succeeded. */
const pending = new Map();

const lateKey = (url) => `/late/${encodeURIComponent(url)}`;

/** Stores the answer to a request of a page, for the load that follows. */
function awaitLate(url, request) {
  const mine = era;
  const store = async () => {
    const answer = await request;
    if (answer.status >= 500 || answer.status === 429) return false;
    // A redirect is for the load to follow.
    if (answer.redirected || answer.type === "opaqueredirect") return true;
    await putPage(lateKey(url), toStore(await answer.blob(), answer), mine);
    return true;
  };
  const ended = Promise.race([store().catch(() => false), pause(LATE_DEADLINE).then(() => false)]);
  const done = ended.then((isReady) => {
    if (pending.get(url) === done) pending.delete(url);
    return isReady;
  });
  pending.set(url, done);
  return done;
}

/** The late answer for a URL, once. */
async function takeLate(url) {
  const page = await caches.open(PAGE);
  const late = await page.match(lateKey(url));
  if (!late) return undefined;
  await page.delete(lateKey(url));
  return ageOf(late) < LATE_FRESH ? late : undefined;
}

/** An address without its fragment. */
const urlOf = ({ url }) => url.split("#")[0];

/** What comes of it within the deadline of a page; undefined when it takes longer. */
const inTime = (promise) => Promise.race([promise, pause(PAGE_DEADLINE)]);

async function pageFor(event) {
  const url = urlOf(event.request);
  const mine = era;
  // Loaded again while the answer to the first load is on its way.
  await inTime(pending.get(url));
  const late = await takeLate(url);
  const answer = late || pending.has(url) ? undefined : fetch(event.request);
  const first = late ?? (await inTime(answer?.catch(() => null)));
  if (first) {
    if (url === self.location.origin + SHELL) {
      keeping = keepAnswer(first.clone(), mine).catch(() => undefined);
      event.waitUntil(keeping);
    }
    return first;
  }
  const kept = await (await caches.open(PAGE)).match(SHELL);
  if (!kept) return answer ?? fetch(event.request);
  // No network; the page requests itself from time to time.
  if (first === null) return kept;
  event.waitUntil(pending.get(url) ?? awaitLate(url, answer));
  const html = await kept.text();
  return new Response(html.replace(`data-kept=""`, `data-kept="slow"`), { headers: kept.headers });
}

/** A kept page requests the page that it is shown for, whose answer may be on its way or here already. */
async function loadFor({ source }, url) {
  const load = () => fetch(url, { headers: { accept: "text/html" }, credentials: "same-origin" });
  const late = await (await caches.open(PAGE)).match(lateKey(url));
  const isHere = late !== undefined && ageOf(late) < LATE_FRESH;
  const isReady = isHere || (await (pending.get(url) ?? awaitLate(url, load())));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a page of the worker has its origin
  source.postMessage({ url, isReady });
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
/** Whether a ZIP code is delivered to, which makes no guest. */
const isCheck = ({ pathname, searchParams }) => pathname === "/api/auth/guest" && searchParams.get("check") === "true";

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const { origin, pathname } = url;
  if (origin !== self.location.origin) return;
  if (request.method !== "GET") {
    if (!CHANGES.test(pathname) || isCheck(url)) return;
    const change = changeOf(request);
    event.respondWith(change);
    event.waitUntil(keepAfter(change).catch(() => undefined));
    return;
  }
  if (pathname.startsWith("/assets/")) event.respondWith(codeFor(request));
  else if (request.mode === "navigate" && request.destination === "document" && isPage.test(pathname))
    event.respondWith(pageFor(event));
});

self.addEventListener("message", (event) => {
  const { data } = event;
  if (data === "page-opened") event.waitUntil(keepShell(FRESH).catch(() => undefined));
  else if (data === "shop-changed") event.waitUntil(keepShell().catch(() => undefined));
  else if (data.load) event.waitUntil(loadFor(event, data.load));
});
