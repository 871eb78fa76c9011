/** The words of the board of delivery days (`today.ts` has its rules). Small, because the app has it. */

/** The ten steps of a delivery day on the board, in order. */
export const DAY_STEPS = [
  "opens",
  "auto_checkout",
  "cutoff",
  "sheets",
  "vendors_in",
  "filled",
  "loaded",
  "delivered",
  "closed",
  "paid_out",
] as const;
export type DayStepName = (typeof DAY_STEPS)[number];

export const DAY_STEP_STATES = ["ahead", "now", "done", "due", "late", "off"] as const;
export type DayStepState = (typeof DAY_STEP_STATES)[number];

/** What a person can do next, the most urgent kind first. */
export const NEXT_KINDS = [
  "run_late_step",
  "create_sheets",
  // Before the sheets are made again: what is settled changes them.
  "settle_shorts",
  "renew_sheets",
  "collect_at_door",
  "retry_charges",
  "deliver",
  "pay_vendors",
  "nothing",
] as const;
export type NextKind = (typeof NEXT_KINDS)[number];

/** The counts below the board. */
export const ATTENTION_COUNTS = [
  "shorts_to_settle",
  "problems_open",
  "questions_waiting",
  "messages_waiting",
  "applications_new",
  "sold_out_watched",
  "cards_declined",
  "to_collect",
  "refunds_waiting",
  "disputes_open",
  "payouts_due",
  "checks_failed",
  "mails_waiting",
  "jobs_failed",
  "backup_age",
] as const;
export type AttentionCount = (typeof ATTENTION_COUNTS)[number];
