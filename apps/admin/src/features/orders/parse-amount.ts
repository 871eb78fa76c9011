/** "7.94", "$7.94" or "7,94" as dollars; null: it is no amount above zero. */
export function parseAmount(text: string): number | null {
  const match = /^\$?\s*(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const cents = Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
  return cents > 0 ? cents / 100 : null;
}

/** "1" as a whole number from 0 on; null: it is none. */
export const parseCount = (text: string): number | null => (/^\d{1,3}$/.test(text.trim()) ? Number(text.trim()) : null);
