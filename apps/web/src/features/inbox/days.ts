import type { Message } from "@marketday/contracts/inbox";

/** Messages of one calendar day where they are read. */
export interface MessageDay {
  day: string;
  messages: Message[];
}

const dayOf = (instant: Date) => instant.toDateString();

/** "Today", "Yesterday", else "Monday, November 23". */
function label(instant: Date, now: Date): string {
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (dayOf(instant) === dayOf(now)) return "Today";
  if (dayOf(instant) === dayOf(yesterday)) return "Yesterday";
  const year = instant.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  return instant.toLocaleDateString("en-US", { weekday: "long", month: "long", day: "numeric", ...year });
}

/** A thread's messages under their days, both oldest first. */
export function byDay(messages: readonly Message[], now: Date): MessageDay[] {
  const days: MessageDay[] = [];
  for (const message of messages) {
    const day = label(new Date(message.created), now);
    const last = days.at(-1);
    if (last?.day === day) last.messages.push(message);
    else days.push({ day, messages: [message] });
  }
  return days;
}

/** "5:04 PM". */
export const timeOf = (instant: string): string =>
  new Date(instant).toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit" });
