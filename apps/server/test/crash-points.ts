/** The failpoints of placing an order, one at every await, in order (failures.md B1). */
export const CRASH_POINTS = [
  "checkout:start",
  "checkout:locked",
  "checkout:holding",
  "checkout:held",
  "checkout:asking",
  "checkout:paid",
  "checkout:placing",
  "checkout:ordered",
  "checkout:booked",
  "checkout:before-commit",
  "checkout:placed",
  "checkout:settled",
] as const;
