/** Which survey follows an order (docs/product.md §8, spec §4 After checkout, §5 CSAT, NPS, Marketing source). */

import { CSAT_MAX, CSAT_MIN, NPS_INTERVAL_DAYS, NPS_MAX, NPS_MIN } from "./limits.ts";
import { addMs, Day, isBefore } from "./time.ts";

export type SurveyType = "MarketingSource" | "CSAT" | "NPS" | "Share" | "Subscribe";

/** The options of the marketing source question, in their order (spec §5). */
export const MARKETING_SOURCES = [
  "From a Farmer/Vendor I Support",
  "Friend or colleague",
  "AI recommendation",
  "Online search",
  "News story",
  "Facebook/Instagram",
  "Flyer or brochure",
  "At a store or restaurant",
  "Online banner ads",
  "Other",
] as const;

/** Its answer must name a vendor. */
export const FROM_A_VENDOR = MARKETING_SOURCES[0];
/** Its answer may be any words. */
export const OTHER_SOURCE = "Other";

/** The words of a scale from 1 to 5 (spec §5). */
export const AGREEMENT_LABELS = ["Strongly Disagree", "Disagree", "Neutral", "Agree", "Strongly Agree"] as const;

const ROUND = ["CSAT", "NPS", "Share", "Subscribe"] as const;

export type SurveyHistory = {
  /** Surveys that were shown or answered so far, oldest first. */
  shown: readonly { type: string; at: Date }[];
  /** No order of the customer came before this one. */
  isFirstOrder: boolean;
  hasHandle: boolean;
  hasSubscriptions: boolean;
  now: Date;
};

/**
 * The first order asks for the source, once in a customer's life; then one per order, in turn: CSAT, NPS (at most once in 90 days),
 * Share (only with a handle the customer set), Subscribe (only without subscriptions). Null: nothing to ask.
 */
export function chooseSurvey({
  shown,
  isFirstOrder,
  hasHandle,
  hasSubscriptions,
  now,
}: SurveyHistory): SurveyType | null {
  if (isFirstOrder && !shown.some(({ type }) => type === "MarketingSource")) return "MarketingSource";
  const last = shown.findLast(({ type }) => type !== "MarketingSource")?.type;
  const lastNps = shown.findLast(({ type }) => type === "NPS")?.at;
  const fits: Record<(typeof ROUND)[number], boolean> = {
    CSAT: true,
    NPS: lastNps === undefined || !isBefore(now, addMs(lastNps, NPS_INTERVAL_DAYS * Day.ms)),
    Share: hasHandle,
    Subscribe: !hasSubscriptions,
  };
  const from = ROUND.findIndex((type) => type === last) + 1;
  return [...ROUND.slice(from), ...ROUND.slice(0, from)].find((type) => fits[type]) ?? null;
}

const isWithin = (value: number | string, least: number, most: number) =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;

/** Whether a response is one this survey takes: a whole number of its scale, an option's label, or any words for Other. */
export function isSurveyResponse(type: SurveyType, response: number | string): boolean {
  if (type === "CSAT") return isWithin(response, CSAT_MIN, CSAT_MAX);
  if (type === "NPS") return isWithin(response, NPS_MIN, NPS_MAX);
  return typeof response === "string" && response.trim() !== "";
}
