import { dateInZone, formatLong } from "@marketday/domain/calendar-date";

import type { Env } from "../../env.ts";
import { html } from "../../lib/html.ts";
import type { LinkPage } from "../../lib/link-pages.ts";
import { contactOf } from "../../lib/plain-page.ts";
import { type Rejected, versionOf } from "./read-form.ts";
import { comingOf, type Harvest, type HarvestItem, isConfirmed, openItems } from "./read-harvest.ts";
import { REASONS } from "./report-harvest.ts";

/** What a page needs besides its harvest. */
interface PageContext {
  env: Pick<Env, "supportEmail" | "supportPhone">;
  now: Date;
}

/** The pages of links that are not open. */
const CLOSED = {
  unknown: [404, "This link does not work", "It may have been cut off in the email. Open it from the email again."],
  revoked: [410, "This link no longer works", "If something changes, please tell the market."],
  expired: [410, "This day is over", "Your next order list brings a new link."],
} as const;
export function closedPage(state: keyof typeof CLOSED, { env }: Pick<PageContext, "env">): LinkPage {
  const [status, title, text] = CLOSED[state];
  return { status, title, body: html`<p>${text}</p>${questions(env)}` };
}

const questions = (env: PageContext["env"]) => html`<p><small>Questions? Please ${contactOf(env)}.</small></p>`;

const nameOf = ({ title, unit }: HarvestItem) =>
  html`<b>${title}</b>${unit && html` <small class="unit">${unit}</small>`}`;

/** "4 ordered", with what the email had when it is another number now. */
function orderedOf({ ordered, frozen }: HarvestItem): string {
  if (ordered === frozen) return `${ordered} ordered`;
  return frozen === 0 ? `${ordered} ordered, not on your list` : `${ordered} ordered now, ${frozen} on your list`;
}

/** An item whose number stays as it is, and why. */
function fixedItem(item: HarvestItem, harvest: Harvest, rejected: Rejected | undefined) {
  const { variantId, ordered, own, market, isShared } = item;
  const number = market ? `${market.came} of ${market.of}` : own ? `${comingOf(item)} of ${ordered}` : String(ordered);
  const why = market
    ? "The market has counted this."
    : ordered === 0
      ? `No longer ordered: ${item.frozen} on your list.`
      : isShared && !harvest.hasArrived
        ? "Also ordered from another vendor: please tell the market if less comes."
        : orderedOf(item);
  const typed = rejected?.typed.get(variantId);
  return html`<li><span>${nameOf(item)}<small>${why}</small>${typed !== undefined && html`<small class="wrong">You entered ${typed === "" ? "nothing" : typed}.</small>`}</span> <strong>${number}</strong></li>`;
}

const optionsOf = (chosen: string) => [
  html`<option value="">No reason</option>`,
  ...REASONS.map((each) => html`<option${each === chosen && html` selected`}>${each}</option>`),
];

function openItem(item: HarvestItem, rejected: Rejected | undefined) {
  const { variantId, title, ordered, own } = item;
  const isWrong = rejected?.wrong.has(variantId) ?? false;
  const isFirst = isWrong && [...rejected!.wrong][0] === variantId;
  const stored = String(comingOf(item));
  const typed = rejected?.typed.get(variantId);
  const before = own && typed !== undefined && typed !== stored && `, you sent ${stored} before`;
  const error = html`<small id="wrong-${variantId}" class="wrong">Enter a whole number from 0 to ${ordered}.</small>`;
  const describedBy = isWrong ? `of-${variantId} wrong-${variantId}` : `of-${variantId}`;
  const hidden = { was: stored, of: ordered, version: versionOf(item) };
  const reason =
    own &&
    html`<label for="reason-${variantId}"><small>Why less of ${title}?</small></label>
<select id="reason-${variantId}" name="reason-${variantId}" aria-describedby="readers">${optionsOf(rejected?.reasons.get(variantId) ?? own.reason)}</select>`;
  return html`<li><span><label for="came-${variantId}">${nameOf(item)}</label><small id="of-${variantId}">${orderedOf(item)}${before}</small>${isWrong && error}</span>
<input id="came-${variantId}" name="came-${variantId}" inputmode="numeric" autocomplete="off" value="${typed ?? stored}" aria-describedby="${describedBy}"${isWrong && html` aria-invalid="true"`}${isFirst && html` autofocus`}>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}-${variantId}" value="${value}">`)}${reason}</li>`;
}

/** The heading, and the sentence below it. */
function introOf(harvest: Harvest, long: string): { title: string; text: string } {
  const title = `Your items for ${long}`;
  if (harvest.items.length === 0) return { title, text: "Nothing is ordered from you for this day anymore." };
  if (harvest.hasArrived)
    return { title, text: "The market has checked you in. If a number is wrong, please tell them." };
  if (openItems(harvest).length === 0)
    return { title, text: "If one of these numbers is wrong, please tell the market." };
  if (harvest.confirmedUnits === null)
    return { title, text: "Bringing less of something? Change its number. Then press Confirm." };
  return isConfirmed(harvest)
    ? {
        title: "Thanks, the market has your numbers",
        text: `These are your items for ${long}. If something changes, change its number and send it again.`,
      }
    : { title, text: "More has been ordered since you confirmed. Please check the numbers and confirm them again." };
}

/** What a vendor brings, with a form as long as something of it can be changed. */
export function harvestPage(harvest: Harvest, { env, now }: PageContext, rejected?: Rejected): LinkPage {
  const { link, day, items } = harvest;
  const { hub } = link.delivery;
  const long = formatLong(day, dateInZone(now, hub.time_zone));
  const open = openItems(harvest);
  const fixed = items.filter((item) => !open.includes(item));
  const { title, text } = introOf(harvest, long);
  const list =
    fixed.length > 0 && html`<ul class="items">${fixed.map((item) => fixedItem(item, harvest, rejected))}</ul>`;
  return {
    status: rejected?.status ?? 200,
    title: !rejected ? title : open.length > 0 ? "Please check your numbers" : "Your numbers were not saved",
    body: html`<p><b>${link.vendor.name}</b>, for ${hub.name}</p>
${rejected ? html`<p role="alert" class="wrong"><b>${rejected.error}</b></p>` : html`<p>${text}</p>`}${open.length === 0 && list}`,
    ...(open.length > 0 && {
      form: {
        fields: html`<ul class="items">${open.map((item) => openItem(item, rejected))}</ul>
<label for="reason">Why are you bringing less? (optional)</label><p id="readers">For what you lower now. Shoppers who don’t get an item may see it.</p>
<select id="reason" name="reason" aria-describedby="readers">${optionsOf(rejected?.reason ?? "")}</select>
`,
        button: isConfirmed(harvest) ? "Send the change" : "Confirm",
      },
    }),
    footer: html`${open.length > 0 && fixed.length > 0 && html`<p>These numbers can’t be changed here:</p>${list}`}<p><small>This link works until the end of ${long}. Anyone who has it can ${open.length > 0 ? "change your numbers" : "see this page"}.</small></p>${questions(env)}`,
  };
}
