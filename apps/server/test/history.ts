import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

import type { RawResponse } from "./race.ts";

/** A checkout request and its response; `status` null: none, the connection was closed. */
interface Entry {
  customerId: number;
  key: string;
  status: number | null;
  orderIds: number[];
  code: string | null;
}

/**
 * Checkout requests and their responses, in a file that survives the processes (docs/failures.md). At the end every order in a
 * response exists once, every key has one result, and every order without a response belongs to a key whose response was lost.
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
    /** Records the response of a request; `null`: there was none. */
    note(customerId: number, key: string, response: RawResponse | null): void {
      const entry: Entry = {
        customerId,
        key,
        status: response?.status ?? null,
        orderIds: response?.status === 201 ? (response.body.orderIds as number[]) : [],
        code: (response?.body?.[1]?.code as string | undefined) ?? null,
      };
      appendFileSync(file, `${JSON.stringify(entry)}\n`);
    },
    /** Contradictions between the responses and `orders`, the existing orders of these customers. */
    faults(orders: readonly { id: number; customer_id: number | null }[]): string[] {
      const existing = new Map(orders.map((order) => [order.id, order.customer_id]));
      const keyByOrder = new Map<number, string>();
      const results = new Map<string, string>();
      const unanswered = new Set<string>();
      const faults: string[] = [];
      for (const { customerId, key, status, orderIds, code } of entries()) {
        if (status === null) unanswered.add(key);
        if (status === 201) {
          const result = orderIds.join();
          if ((results.get(key) ?? result) !== result)
            faults.push(`key ${key} bought ${results.get(key)} and then ${result}`);
          results.set(key, result);
          unanswered.delete(key);
        } else if (results.has(key) && code !== "still_running")
          faults.push(`key ${key} bought ${results.get(key)} and then got ${status} ${code}`);
        for (const id of orderIds) {
          if (existing.get(id) !== customerId)
            faults.push(`customer ${customerId} got order ${id}, which is not theirs`);
          if ((keyByOrder.get(id) ?? key) !== key)
            faults.push(`order ${id} was returned to ${keyByOrder.get(id)} and to ${key}`);
          keyByOrder.set(id, key);
        }
      }
      for (const id of existing.keys()) if (!keyByOrder.has(id)) faults.push(`order ${id} was never returned`);
      for (const key of unanswered) faults.push(`the result of ${key} is unknown`);
      return faults;
    },
  };
}
