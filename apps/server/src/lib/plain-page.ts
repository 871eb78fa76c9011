import { createHash } from "node:crypto";

import type { FastifyReply } from "fastify";

import type { Env } from "../env.ts";
import { html, type Html, trusted } from "./html.ts";

/** Styles of a page without scripts and without the app's files. */
const STYLE = `:root{color-scheme:light dark;--paper:#FAF6EC;--surface:#FFFDF8;--line:#E0D6C1;--ink:#1D2418;--soft:#474E3D;--kale:#1F5B3A;--on:#FFFDF8;--focus:#1D4ED8;--bad:#A3271B}
@media(prefers-color-scheme:dark){:root{--paper:#14170F;--surface:#1C2017;--line:#383E2F;--ink:#F2EEDF;--soft:#CCCBB7;--kale:#8CCF9A;--on:#0C2114;--focus:#F4C04E;--bad:#F2A093}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 Figtree,"Segoe UI",sans-serif}
main{max-width:34rem;margin:0 auto;padding:40px 20px;overflow-wrap:anywhere}
section{background:var(--surface);border:1px solid var(--line);border-radius:16px;padding:24px}
h1{font:700 28px/1.15 Vollkorn,Georgia,serif;margin:0 0 12px}p{margin:0 0 16px;color:var(--soft)}ul{margin:0;padding-left:20px}li{margin:0 0 8px}
a{color:var(--kale)}a[href^="tel:"]{white-space:nowrap}button{font:inherit;font-weight:650;min-height:44px;padding:10px 22px;border:0;border-radius:999px;background:var(--kale);color:var(--on);cursor:pointer}
label{display:block;font-weight:650;margin:0 0 4px}textarea{box-sizing:border-box;width:100%;font:inherit;padding:10px 12px;margin:0 0 16px;border:1px solid var(--soft);border-radius:12px;background:var(--paper);color:var(--ink)}
form+p{margin:16px 0 0}ul.items{list-style:none;padding:0;margin:0 0 20px}ul.items li{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:16px;margin:0;padding:10px 0;border-bottom:1px solid var(--line)}ul.items span{flex:1 1 7em}ul.items label+select{flex:1 1 100%}ul.items li>label{flex:1 1 100%;margin:0 0 -12px}ul.items select{margin:0}ul.items label{margin:0;font-weight:400}ul.items small{display:block}ul.items small.unit{display:inline}p#readers{margin:0 0 8px}ul.items strong{font-size:20px;white-space:nowrap}
ul.items input,select{box-sizing:border-box;min-height:56px;font:inherit;padding:8px 12px;border:1px solid var(--soft);border-radius:12px;background:var(--paper);color:var(--ink)}ul.items input{width:5em;font-size:20px;font-weight:650;text-align:right}ul.items input[aria-invalid]{border:2px solid var(--bad)}select{width:100%;margin:0 0 20px}select+button{width:100%;min-height:56px}.wrong,small.wrong{color:var(--bad)}
ul.messages{list-style:none;padding:0 0 0 14px;margin:0 0 20px;border-left:3px solid var(--kale)}small{color:var(--soft)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:6px}`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

// The constant above. It has quotes, and browsers do not unescape the content of a style element.
const STYLE_TAG = trusted(`<style>${STYLE}</style>`);

/** "email … or call …": how to reach the market, with links. */
export const contactOf = ({ supportEmail, supportPhone }: Pick<Env, "supportEmail" | "supportPhone">): Html =>
  html`email <a href="mailto:${supportEmail}">${supportEmail}</a> or call <a href="tel:${supportPhone.replace(/[^+\d]/g, "")}">${supportPhone}</a>`;

/** Sends a standalone page. */
export const sendPlainPage = (reply: FastifyReply, status: number, title: string, body: Html) =>
  reply
    .status(status)
    .headers({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": POLICY,
      "x-robots-tag": "noindex",
    })
    .send(
      html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title>${STYLE_TAG}</head><body><main><section><h1>${title}</h1>\n${body}\n</section></main></body></html>`.toString(),
    );
