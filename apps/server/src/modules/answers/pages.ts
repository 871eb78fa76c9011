import { dateInZone, formatLong } from "@marketday/domain/calendar-date";

import { html, multiline } from "../../lib/html.ts";
import type { LinkPage } from "../../lib/link-pages.ts";
import { answerMax } from "./answer-subject.ts";
import type { LinkRow, SubjectDetails } from "./store.ts";

/** The market's time zone, and the instant of the request. */
export interface PageClock {
  zone: string;
  now: Date;
}

/** "Monday, November 23" in the market's time zone, with the year when it is another one. */
const dayOf = (instant: Date, { zone, now }: PageClock) => formatLong(dateInZone(instant, zone), dateInZone(now, zone));

/** The customer's name as vendors see it: "Anna B." */
export const nameOf = ({ customer: { first_name, last_name } }: Pick<SubjectDetails, "customer">): string =>
  [first_name, last_name && `${last_name[0]}.`].filter(Boolean).join(" ") || "A customer";

/** The pages of links that are not open. */
const CLOSED = {
  unknown: [404, "This link does not work", "It may have been cut off in the email. Open it from the email again."],
  revoked: [410, "This link was taken back", "The market withdrew it. Write to us if you still want to answer."],
  expired: [410, "This link has expired", "It was good for 30 days. The next message brings a new one."],
  gone: [410, "There is nothing to answer any more", "The message was removed."],
} as const;
export function closedPage(state: keyof typeof CLOSED): LinkPage {
  const [status, title, text] = CLOSED[state];
  return { status, title, body: html`<p>${text}</p>` };
}

/** The page of a used link. */
export function usedPage(link: LinkRow, details: SubjectDetails | null, clock: PageClock): LinkPage {
  const to =
    link.subject === "question"
      ? "It appears under the question, for everyone to read"
      : `It is in ${details ? nameOf(details) : "the customer"}’s inbox`;
  const on = link.used_at ? ` since ${dayOf(link.used_at, clock)}` : "";
  return {
    status: 200,
    title: "This was answered",
    body: html`<p>${to}${on}, and we emailed them.</p><p>Each link works once. The next message brings a new one.</p>`,
  };
}

/** The messages and the form. `rejected`: the error and the text of a rejected attempt. */
export function openPage(
  link: LinkRow,
  details: SubjectDetails,
  clock: PageClock,
  rejected?: { error: string; typed: string },
): LinkPage {
  const name = nameOf(details);
  const title =
    link.subject === "thread"
      ? `${name} wrote to ${details.vendor}`
      : link.subject === "question"
        ? `A question about ${details.product}`
        : `A review of ${details.product}`;
  const stars =
    details.rating_halves !== null && html`<p>${details.rating_halves / 2} of 5 stars for ${details.product}</p>`;
  const messages = details.messages.map(
    ({ sender, created_at, message }) =>
      html`<li><b>${sender === "C" ? name : details.vendor}</b> <small>${dayOf(created_at, clock)}</small><br>${multiline(message)}</li>`,
  );
  const where =
    link.subject === "question" ? "Everyone who views the product can read it." : `Only ${name} can read it.`;
  const max = answerMax(link.subject);
  const error = rejected && html`<p id="error" role="alert"><b>${rejected.error}</b></p>`;
  return {
    status: rejected ? 400 : 200,
    title,
    body: html`${stars}<ul class="messages">${messages}</ul>`,
    form: {
      fields: html`<label for="answer">Your answer</label><p id="where">${where} At most ${max} characters.</p>${error}
<textarea id="answer" name="answer" rows="5" maxlength="${max}" required aria-describedby="where${rejected && " error"}"${rejected && html` aria-invalid="true"`}>${rejected?.typed}</textarea>
`,
      button: "Send the answer",
    },
    footer: html`<p><small>This link works once, until ${dayOf(link.expires_at, clock)}. Keep it to yourself.</small></p>`,
  };
}
