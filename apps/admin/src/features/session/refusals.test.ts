import { ApiError } from "@marketday/client/transport.ts";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";

import { followRefusal, sessionQuery } from "./api.ts";

const ME = { id: 1, name: "Ada Kowalski" };
const session = (me: typeof ME | null) => ({
  me,
  marketName: "Marketday",
  passkeysWork: true,
  now: "2026-11-23T17:00:00Z",
});

afterEach(() => void vi.unstubAllGlobals());

/** The page of someone who is signed in, and the server's next answers of who that is. */
async function signedIn(...next: (typeof ME | null)[]) {
  const answers = [ME, ...next];
  const fetched = vi.fn(async () => Response.json(session(answers.shift()!)));
  vi.stubGlobal("fetch", fetched);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await client.fetchQuery(sessionQuery);
  const stop = new QueryObserver(client, sessionQuery).subscribe(() => undefined);
  return { client, fetched, stop, me: () => client.getQueryData(sessionQuery.queryKey)?.me };
}
const refused = (status: number, code: string) => new ApiError("refused", { status, details: { code } });

test("a call is refused for its session: the person stays signed in as long as the server knows the session", async () => {
  const { client, fetched, stop, me } = await signedIn(ME, null);
  await followRefusal(client, refused(401, "sign_in_required"));
  expect([fetched.mock.calls.length, me()]).toEqual([2, ME]);
  await followRefusal(client, refused(401, "sign_in_required"));
  expect([fetched.mock.calls.length, me()]).toEqual([3, null]);
  stop();
});

test("the session is read again after a missing permission, not after other refusals", async () => {
  const { client, fetched, stop } = await signedIn(ME);
  await followRefusal(client, refused(403, "forbidden"));
  await followRefusal(client, refused(403, "step_up_required"));
  await followRefusal(client, refused(409, "conflict"));
  expect(fetched).toHaveBeenCalledTimes(2);
  stop();
});
