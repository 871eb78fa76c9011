import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import type { Env } from "../env.ts";
import { AppError } from "../lib/app-error.ts";
import { SECURE_SESSION_COOKIE, SECURE_STAFF_COOKIE, SESSION_COOKIE, STAFF_COOKIE } from "../lib/tokens.ts";
import { apiKeyIn } from "../modules/identity/api-keys.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The URL contains a secret and the route reads no cookie, so requests of any origin are allowed. */
    byLink?: boolean;
  }
}

const SESSION_COOKIES = [SESSION_COOKIE, SECURE_SESSION_COOKIE, STAFF_COOKIE, SECURE_STAFF_COOKIE];
const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

const originOf = (url: string | null): string | null =>
  url !== null && URL.canParse(url) ? new URL(url).origin : null;

/**
 * The Origin rule of docs/product.md §3, for every unsafe method: `Sec-Fetch-Site` is same-origin; where a browser does not
 * send it, `Origin` is ours, scheme included; without both (no browser) the request is rejected only when it has a session
 * cookie. An API key without one needs neither: no browser sends it unless a page has it.
 */
function isOwnOrigin(
  request: Pick<FastifyRequest, "headers" | "protocol" | "host">,
  publicUrl: string | null,
  cookies: Record<string, string | undefined>,
): boolean {
  const hasNoSession = () => SESSION_COOKIES.every((name) => !(name in cookies));
  if (apiKeyIn(request.headers) !== null && hasNoSession()) return true;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin } = request.headers;
  if (origin !== undefined) return origin === `${request.protocol}://${request.host}` || origin === originOf(publicUrl);
  return hasNoSession();
}

/** Whether a request has several `Host` headers: a proxy and this server may use different ones (RFC 9112 §3.2). */
const hasTwoHosts = ({ raw }: Pick<FastifyRequest, "raw">): boolean =>
  raw.rawHeaders.filter((text, at) => at % 2 === 0 && text.length === 4 && text.toLowerCase() === "host").length > 1;

/** Other hosts that settings allow, by directive. */
export interface PolicyHosts {
  script: readonly string[];
  frame: readonly string[];
  /** Hosts of fetch and beacon requests. */
  connect: readonly string[];
  img: readonly string[];
}
const NO_HOSTS: PolicyHosts = { script: [], frame: [], connect: [], img: [] };
const TURNSTILE = ["https://challenges.cloudflare.com"];
const TAGS = ["https://www.googletagmanager.com"];
const COUNTERS = [...TAGS, "https://*.google-analytics.com", "https://*.analytics.google.com"];

type HostSettings = Pick<Env, "botCheck" | "tagManagerId" | "mapTilesUrl">;

/** The other hosts that settings allow; none by default (failures.md H7). */
export function hostsOf(env: HostSettings): PolicyHosts {
  const check = env.botCheck === "turnstile" ? TURNSTILE : [];
  const [tags, counters] = env.tagManagerId === null ? [[], []] : [TAGS, COUNTERS];
  const tiles = env.mapTilesUrl === null ? [] : [new URL(env.mapTilesUrl).origin];
  return { script: [...check, ...tags], frame: check, connect: counters, img: [...counters, ...tiles] };
}

const policyOf = ({ script, frame, connect, img }: PolicyHosts) => [
  "default-src 'self'",
  ["script-src 'self'", ...script].join(" "),
  "style-src 'self'",
  ["img-src 'self' data: blob:", ...img].join(" "),
  "font-src 'self'",
  ["connect-src 'self'", ...connect].join(" "),
  ["frame-src 'self'", ...frame].join(" "),
  "worker-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
];

/** Hosts allowed in embedded frames: with `PAYMENTS=stripe` also those of the payment form. */
function frameHostsOf(env: HostSettings & Pick<Env, "payments">): PolicyHosts {
  const hosts = hostsOf(env);
  if (env.payments !== "stripe") return hosts;
  return {
    ...hosts,
    script: [...hosts.script, "https://js.stripe.com"],
    connect: [...hosts.connect, "https://api.stripe.com"],
    frame: [...hosts.frame, "https://js.stripe.com", "https://hooks.stripe.com"],
  };
}

/**
 * Security headers with a strict CSP without `unsafe-inline`. Created once; responses differ only in who may frame them. Set
 * through Fastify, because headers set on the raw response are five times as slow.
 * @param framed for pages that our own pages embed (checkout …)
 */
export function securityHeaders(
  https: boolean,
  framed: boolean,
  hosts: PolicyHosts = NO_HOSTS,
): Record<string, string> {
  return {
    "content-security-policy": [
      ...policyOf(hosts),
      `frame-ancestors ${framed ? "'self'" : "'none'"}`,
      ...(https ? ["upgrade-insecure-requests"] : []),
    ].join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "x-permitted-cross-domain-policies": "none",
    // These would break a market on plain http in a LAN.
    ...(https && { "strict-transport-security": "max-age=31536000", "origin-agent-cluster": "?1" }),
  };
}

/** Security headers of responses that are not documents, with a policy of their own. */
function partHeaders(https: boolean, policy: string): Record<string, string> {
  const {
    "cross-origin-opener-policy": _coop,
    "x-dns-prefetch-control": _dns,
    ...rest
  } = securityHeaders(https, false);
  return { ...rest, "content-security-policy": `${policy}; frame-ancestors 'none'` };
}

/** Security headers of JSON responses: they load nothing and are never framed. */
export const dataHeaders = (https: boolean): Record<string, string> => ({
  // Default; handlers may override it.
  "cache-control": "no-store",
  ...partHeaders(https, "default-src 'none'"),
});

/**
 * Security headers of scripts, styles, fonts and icons. A document's policy does not apply to them, except that a worker
 * loads its scripts by its own; the first view requests a dozen of them, and each would bring 600 bytes.
 */
const assetHeaders = (https: boolean) => partHeaders(https, "default-src 'self'");

/** Security headers on every response including errors, one host per request, and the Origin rule. */
export default fp<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }) => {
    const { env } = deps;
    const https = env.publicUrl?.startsWith("https:") ?? false;
    const page = securityHeaders(https, false, hostsOf(env));
    const frame = securityHeaders(https, true, frameHostsOf(env));
    // The admin app loads nothing of other hosts, whatever the shop's settings allow.
    const admin = securityHeaders(https, false);
    const data = dataHeaders(https);
    const asset = assetHeaders(https);
    const headersFor = (url: string) => {
      if (url.startsWith("/assets/") || url.startsWith("/admin/assets/")) return asset;
      if (/^\/admin(?:[/?]|$)/.test(url)) return admin;
      if (url.startsWith("/embed/")) return frame;
      return url.startsWith("/api/") && !url.startsWith("/api/docs") ? data : page;
    };
    app.addHook("onRequest", (request, reply, done) => {
      void reply.headers(headersFor(request.url));
      if (hasTwoHosts(request))
        return done(new AppError(400, "That request is not understood.", { code: "invalid" }, { connection: "close" }));
      if (SAFE.has(request.method) || request.routeOptions.config.byLink) return done();
      if (isOwnOrigin(request, env.publicUrl, app.parseCookie(request.headers.cookie ?? ""))) return done();
      return done(new AppError(403, "This request did not come from our own pages.", { code: "bad_origin" }));
    });
  },
  { name: "security" },
);
