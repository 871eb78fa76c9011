import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

import type { RawAnswer } from "./race.ts";

/** One request of a shopper's to buy, and what they heard: an answer, or none (the line was cut). */
interface Entry {
  customerId: number;
  key: string;
  status: number | null;
  orderIds: number[];
  code: string | null;
}

/**
 * What shoppers asked and heard, as a file that outlives whoever wrote it (docs/failures.md). At the end every
 * order that somebody was told of exists once, a key has one outcome however often it was sent, and an order nobody was told
 * of belongs to a key whose answer was lost.
 */
export function openHistory(file: string) {
  writeFileSync(file, "");
  const entries = () =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Entry);
  return {
    file,
    /** Writes down what came of a request; `null`: no answer came. */
    note(customerId: number, key: string, answer: RawAnswer | null): void {
      const entry: Entry = {
        customerId,
        key,
        status: answer?.status ?? null,
        orderIds: answer?.status === 201 ? (answer.body.orderIds as number[]) : [],
        code: (answer?.body?.[1]?.code as string | undefined) ?? null,
      };
      appendFileSync(file, `${JSON.stringify(entry)}\n`);
    },
    /** What does not fit together, in words; at best nothing. `orders`: those of these customers that are there. */
    faults(orders: readonly { id: number; customer_id: number | null }[]): string[] {
      const there = new Map(orders.map((order) => [order.id, order.customer_id]));
      const told = new Map<number, string>();
      const outcomes = new Map<string, string>();
      const unheard = new Set<string>();
      const said: string[] = [];
      for (const { customerId, key, status, orderIds, code } of entries()) {
        if (status === null) unheard.add(key);
        if (status === 201) {
          const outcome = orderIds.join();
          if ((outcomes.get(key) ?? outcome) !== outcome)
            said.push(`key ${key} bought ${outcomes.get(key)} and then ${outcome}`);
          outcomes.set(key, outcome);
          unheard.delete(key);
        } else if (outcomes.has(key) && code !== "still_running")
          said.push(`key ${key} bought ${outcomes.get(key)} and then heard ${status} ${code}`);
        for (const id of orderIds) {
          if (there.get(id) !== customerId)
            said.push(`customer ${customerId} was told of order ${id}, which is not theirs`);
          if ((told.get(id) ?? key) !== key) said.push(`order ${id} was told to ${told.get(id)} and to ${key}`);
          told.set(id, key);
        }
      }
      for (const id of there.keys()) if (!told.has(id)) said.push(`nobody was told of order ${id}`);
      for (const key of unheard) said.push(`nobody knows what became of ${key}`);
      return said;
    },
  };
}
