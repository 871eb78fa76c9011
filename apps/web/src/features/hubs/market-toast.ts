import { toast } from "@marketday/ui/toast-store.ts";

import { messages } from "../../lib/messages.ts";

/** Long enough to read two names and to choose. */
const DURATION = 12_000;

/** A market that is not the one of the shopper's account. */
interface Elsewhere {
  id: number;
  name: string;
}

/**
 * The shopper is in their account's market, and came from or by a link to another one: both are named, and one tap leads there. A cart
 * of the other market says so itself.
 */
export function toastMarket(
  ownName: string,
  { id, name }: Elsewhere,
  verb: "Stay" | "Switch",
  switchHub: (id: number) => Promise<void>,
): void {
  toast({
    text:
      verb === "Stay"
        ? `Your account shops at ${ownName}. You were at ${name} before.`
        : `This link is for ${name}. Your account shops at ${ownName}.`,
    duration: DURATION,
    action: {
      label: verb === "Stay" ? `Stay at ${name}` : `Switch to ${name}`,
      run: () => void switchHub(id).catch(() => toast({ text: messages.hubSwitch, tone: "error" })),
    },
  });
}
