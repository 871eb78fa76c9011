import { createHmac, timingSafeEqual } from "node:crypto";

const macOf = (customerId: number, secret: string) =>
  createHmac("sha256", secret).update(`unsubscribe ${customerId}`).digest("base64url").slice(0, 32);

/** The word in a mail's way out: it names the customer and opens nothing else, and does not run out. */
export const unsubscribeToken = (customerId: number, [secret]: readonly string[]): string => {
  if (secret === undefined) throw new Error("no session secret");
  return `${customerId}.${macOf(customerId, secret)}`;
};

/** Whose it is; null when it is not ours. */
export function readUnsubscribeToken(token: string, secrets: readonly string[]): number | null {
  const [, id, mac] = /^([1-9]\d{0,9})\.([\w-]{32})$/.exec(token) ?? [];
  if (id === undefined || mac === undefined) return null;
  const given = Buffer.from(mac);
  const isOurs = secrets.some((secret) => timingSafeEqual(given, Buffer.from(macOf(Number(id), secret))));
  return isOurs ? Number(id) : null;
}
