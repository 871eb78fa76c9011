import { ApiError } from "@marketday/client/transport.ts";
import { expect, test } from "vitest";

import { type call } from "../../lib/api.ts";
import { sendAnswer } from "./send.ts";

const survey = { type: "CSAT", questionId: "csat" } as const;
const run = async (...answers: (ApiError | null)[]) => {
  const waits: number[] = [];
  let sent = 0;
  const send = (() => {
    const answer = answers[sent] ?? null;
    sent += 1;
    return answer ? Promise.reject(answer) : Promise.resolve({ success: true });
  }) as unknown as typeof call;
  const wait = (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  };
  return { kept: await sendAnswer(1, survey, { response: 5 }, wait, send), waits, sent };
};

test("an answer is tried again when nothing arrived, not when it was refused", async () => {
  expect(await run(null)).toEqual({ kept: true, waits: [], sent: 1 });
  expect(await run(new ApiError("gone"), new ApiError("busy", { status: 503 }))).toEqual({
    kept: true,
    waits: [2000, 8000],
    sent: 3,
  });
  expect(await run(new ApiError("answered", { status: 409 }))).toEqual({ kept: false, waits: [], sent: 1 });
  const lost = Array.from({ length: 9 }, () => new ApiError("gone"));
  expect(await run(...lost)).toMatchObject({ kept: false, sent: 4 });
});
