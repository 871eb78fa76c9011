/** Who can do something that is in the audit log: a person of the staff, an operator at the command line, a shopper, a vendor by a link, a job. */
export const AUDIT_KINDS = ["staff", "operator", "customer", "vendor", "system"] as const;

/** What an entry can be about, with its number or name: "order:397120862", "vendor:oak-farm". */
export const AUDIT_THINGS = [
  "order",
  "customer",
  "vendor",
  "product",
  "delivery",
  "staff",
  "gift-card",
  "payout",
  "file",
] as const;
