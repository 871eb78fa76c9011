import fc from "fast-check";
import { expect, test } from "vitest";

import { readFrameMessage } from "./frame.ts";

test("frame message: only the three words and an order's digits are accepted", { tags: ["fail:H11"] }, () => {
  const words = ["close-without-refresh", "close-with-refresh", "customer-logged-in"];
  const anyMessage = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }),
    fc.string(),
    fc.stringMatching(/^[-+ 0-9.eEx]{1,20}$/),
    fc.double(),
    fc.constantFrom(...words).map((word) => ` ${word}`),
  );
  fc.assert(
    fc.property(anyMessage, (data) => {
      const received = readFrameMessage(data);
      const isOrder =
        (typeof data === "number" && Number.isSafeInteger(data) && data > 0) ||
        (typeof data === "string" && /^[1-9]\d{0,15}$/.test(data) && Number.isSafeInteger(Number(data)));
      if (isOrder) expect(received).toEqual({ kind: "order", orderId: Number(data) });
      else if (typeof data === "string" && words.includes(data)) expect(received).toEqual({ kind: data });
      else expect(received).toBeNull();
    }),
    { numRuns: 2000 },
  );
});
