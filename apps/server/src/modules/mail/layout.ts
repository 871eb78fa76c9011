import type { Env } from "../../env.ts";
import { html, type Html, multiline } from "../../lib/html.ts";
import type { MailContent } from "../../lib/mail-template.ts";
import { marketUrl } from "../../lib/market-url.ts";

const INK = "#1D2418";
/** The longest value that stays on one line: an amount. Beside a longer one the label does, and the value wraps. */
const AMOUNT_MAX = 14;
const ROW = "padding-top:4px;padding-bottom:4px;vertical-align:top";
const TOTAL = "padding-top:10px;padding-bottom:10px;border-top:2px dashed #857C61";
const ONE_LINE = "white-space:nowrap;overflow-wrap:normal;";

/** The cells of a row, label and value. */
function cells([label, value]: readonly [string, string], style: string, tag: "b" | "span"): Html {
  const isAmount = value.length <= AMOUNT_MAX;
  return html`<td style="${!isAmount && ONE_LINE}${style}"><${tag}>${label}</${tag}></td><td style="${isAmount && ONE_LINE}text-align:right;padding-left:16px;${style}"><${tag}>${value}</${tag}></td>`;
}

const REASON = "You're receiving this because you subscribed to market news.";

function document(content: MailContent, env: Env, base: string, unsubscribe: string | null): Html {
  const parts = content.parts.map((part) => {
    if (typeof part === "string") return html`<p style="margin:0 0 16px;line-height:1.5">${multiline(part)}</p>`;
    const rows = part.rows.map((row) => html`<tr>${cells(row, ROW, "span")}</tr>`);
    const total = part.total && html`<tr>${cells(part.total, TOTAL, "b")}</tr>`;
    return html`<table role="presentation" width="100%" style="border-collapse:collapse;margin:0 0 16px">${rows}${total}</table>`;
  });
  const link =
    content.link &&
    html`<p style="margin:24px 0"><a href="${base + content.link.path}" style="background:#1F5B3A;color:#FFFDF8;padding:12px 22px;border-radius:999px;text-decoration:none;font-weight:600">${content.link.label}</a></p>`;
  const footer =
    unsubscribe !== null &&
    html`<p style="font-size:14px;color:#616750;margin:16px 0">${REASON} <a href="${unsubscribe}" style="color:#1F5B3A">Unsubscribe</a></p>\n`;
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light only"><meta name="supported-color-schemes" content="light only"><title>${content.subject}</title></head>
<body style="margin:0;overflow-wrap:anywhere;background:#FAF6EC;color:${INK};font:16px/1.5 'Figtree','Segoe UI',sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px">
<p style="font:700 20px Georgia,serif;color:#B5301C;margin:0 0 16px">${env.marketName}</p>
<div style="background:#FFFDF8;border:1px solid #E0D6C1;border-radius:16px;padding:24px">
<h1 style="font:700 26px/1.2 Georgia,serif;margin:0 0 16px">${content.heading}</h1>
${parts.map((part, place) => html`${place > 0 && "\n"}${part}`)}${link}
</div>
<p style="font-size:14px;color:#616750;margin:16px 0">Questions? Write to <a href="mailto:${env.supportEmail}" style="color:#1F5B3A">${env.supportEmail}</a> or call ${env.supportPhone}.</p>
${footer}</div></body></html>`;
}

function text(content: MailContent, env: Env, base: string, unsubscribe: string | null): string {
  const parts = content.parts.map((part) => {
    if (typeof part === "string") return part;
    const rows = part.total ? [...part.rows, part.total] : part.rows;
    return rows.map(([label, value]) => `${label}: ${value}`).join("\n");
  });
  const link = content.link ? `${content.link.label}: ${base}${content.link.path}` : null;
  return [
    content.heading,
    ...parts,
    ...(link ? [link] : []),
    `Questions? Write to ${env.supportEmail} or call ${env.supportPhone}.\n${env.marketName}`,
    ...(unsubscribe ? [`${REASON} Unsubscribe: ${unsubscribe}`] : []),
  ].join("\n\n");
}

/**
 * Renders a mail as HTML and as plain text. Links start with `PUBLIC_URL`, or with the local address if it is not set.
 * @param unsubscribe the unsubscribe link of a reminder
 */
export function renderMail(
  content: MailContent,
  env: Env,
  unsubscribe: string | null = null,
): { subject: string; html: string; text: string; replyTo?: string } {
  const base = marketUrl(env);
  return {
    subject: content.subject,
    html: document(content, env, base, unsubscribe).toString(),
    text: text(content, env, base, unsubscribe),
    ...(content.replyTo === undefined ? {} : { replyTo: content.replyTo }),
  };
}
