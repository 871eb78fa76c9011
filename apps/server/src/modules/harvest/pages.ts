import { dateInZone, formatLong } from "@marketday/domain/calendar-date";

import { html } from "../../lib/html.ts";
import type { LinkPage } from "../../lib/link-pages.ts";
import { comingOf, type Harvest, type HarvestItem, openItems } from "./read-harvest.ts";

/** Why less comes. */
export const REASONS = ["Weather", "Animals", "Quality", "Sold elsewhere", "Something else"] as const;

/** The pages of links that are not open. */
const CLOSED = {
  unknown: [404, "This link does not work", "It may have been cut off in the email. Open it from the email again."],
  revoked: [410, "This link was taken back", "Please write or call the market if something changes."],
  expired: [410, "This day is over", "The next list brings a new link."],
} as const;
export function closedPage(state: keyof typeof CLOSED): LinkPage {
  const [status, title, text] = CLOSED[state];
  return { status, title, body: html`<p>${text}</p>` };
}

/** What a vendor has sent and must check. */
export interface Rejected {
  status: 400 | 409;
  error: string;
  /** What was typed, by variant. */
  typed: ReadonlyMap<number, string>;
  reason: string;
  /** Variants whose number cannot be right. */
  wrong: ReadonlySet<number>;
}

const nameOf = ({ title, unit }: HarvestItem) => html`<b>${title}</b>${unit && html` <small>${unit}</small>`}`;

/** An item whose number stays as it is, and why. */
function fixedItem(item: HarvestItem, hasArrived: boolean) {
  const { ordered, own, market } = item;
  const number = market ? `${market.came} of ${market.of}` : own ? `${comingOf(item)} of ${ordered}` : String(ordered);
  const why = market ? "The market has counted this" : hasArrived ? null : "Not ordered any more";
  return html`<li><span>${nameOf(item)}${why && html`<br><small>${why}</small>`}</span> <strong>${number}</strong></li>`;
}

function openItem(item: HarvestItem, rejected: Rejected | undefined) {
  const { variantId, ordered } = item;
  const isWrong = rejected?.wrong.has(variantId) ?? false;
  const value = rejected?.typed.get(variantId) ?? String(comingOf(item));
  return html`<li><label for="came-${variantId}">${nameOf(item)}<br><small id="of-${variantId}">${ordered} ordered</small></label>
<input id="came-${variantId}" name="came-${variantId}" type="number" inputmode="numeric" min="0" max="${ordered}" step="1" required value="${value}" aria-describedby="of-${variantId}"${isWrong && html` aria-invalid="true"`}><input type="hidden" name="of-${variantId}" value="${ordered}"></li>`;
}

/** What a vendor brings, with a form as long as something of it can be changed. */
export function harvestPage(harvest: Harvest, now: Date, rejected?: Rejected): LinkPage {
  const { link, day, items, isConfirmed, hasArrived } = harvest;
  const { hub } = link.delivery;
  const long = formatLong(day, dateInZone(now, hub.time_zone));
  const open = openItems(harvest);
  const fixed = items.filter((item) => !open.includes(item));
  const reason = rejected?.reason ?? open.find(({ own }) => own)?.own?.reason ?? "";
  const known = hasArrived
    ? "The market has checked you in. If a number is wrong, tell them there."
    : isConfirmed
      ? "You have confirmed this. If something changes, send it again."
      : "Everything is filled in as ordered. Lower a number if less comes, and confirm.";
  const options = REASONS.map((each) => html`<option${each === reason && html` selected`}>${each}</option>`);
  return {
    status: rejected?.status ?? 200,
    title: `Your harvest for ${long}`,
    body: html`<p><b>${link.vendor.name}</b>, for ${hub.name}</p>${rejected && html`<p id="error" role="alert"><b>${rejected.error}</b></p>`}
${items.length === 0 ? html`<p>Nothing is ordered from you for this day any more.</p>` : html`<p>${known}</p>`}${fixed.length > 0 && html`<ul class="items">${fixed.map((item) => fixedItem(item, hasArrived))}</ul>`}`,
    ...(open.length > 0 && {
      form: {
        fields: html`<ul class="items">${open.map((item) => openItem(item, rejected))}</ul>
<label for="reason">Why less, if something is missing</label>
<select id="reason" name="reason"><option value="">No reason</option>${options}</select>
`,
        button: isConfirmed ? "Send the change" : "Confirm",
      },
    }),
    footer: html`<p><small>This link works until the end of ${long}. Keep it to yourself.</small></p>`,
  };
}
