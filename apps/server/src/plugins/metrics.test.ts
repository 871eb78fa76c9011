import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { createHub } from "../../test/factories.ts";

const TOKEN = "a-token-of-the-monitoring";
const market = await buildTestApp({ env: { METRICS_TOKEN: TOKEN } });
await createHub(market.db);

const read = (headers: Record<string, string> = {}, remoteAddress = "127.0.0.1") =>
  market.app.inject({ url: "/metrics", headers, remoteAddress });

test("metrics: Prometheus text with routes by pattern, the process, the pool and due messages", async () => {
  await market.app.inject({ url: "/api/hubs" });
  await market.app.inject({ url: "/api/content/terms" });
  await market.app.inject({ url: "/api/content/none" });
  await market.db.mail.create({
    data: { key: "a", template: "x", to_email: "a@b.example", data: {}, created_at: new Date("2026-11-23T16:59:00Z") },
  });
  const { statusCode, headers, body } = await read();
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toMatch(/^text\/plain; version=/);
  expect(headers["cache-control"]).toBe("no-store");
  expect(body).toContain('http_request_duration_seconds_count{method="GET",route="/api/hubs",status="200"} 1');
  expect(body).toContain('http_request_duration_seconds_count{method="GET",route="/api/content/:slug",status="404"} 1');
  expect(body).toMatch(/^marketday_db_connections\{state="waiting"\} 0$/m);
  expect(body).toMatch(/^marketday_due\{kind="mail"\} 1$/m);
  expect(body).toMatch(/^marketday_oldest_due_mail_seconds 60$/m);
  expect(body).toMatch(/^process_resident_memory_bytes \d+/m);
  // URLs of requests do not become series.
  expect(body).not.toContain("terms");
});

describe("metrics: access", { tags: ["fail:G6"] }, () => {
  test.each([
    ["this machine", {}, "127.0.0.1", 200],
    ["this machine by its other address", {}, "::1", 200],
    ["another address", {}, "203.0.113.7", 404],
    ["a client behind a proxy of this machine", { "x-forwarded-for": "203.0.113.7" }, "127.0.0.1", 404],
    ["a client with a forged address", { "x-forwarded-for": "127.0.0.1" }, "203.0.113.7", 404],
    ["the token from another address", { authorization: `Bearer ${TOKEN}` }, "203.0.113.7", 200],
    ["the token through a proxy", { authorization: `Bearer ${TOKEN}`, "x-forwarded-for": "1.2.3.4" }, "127.0.0.1", 200],
    ["another token", { authorization: `Bearer ${TOKEN}x` }, "203.0.113.7", 404],
    ["a wrong token of the same length", { authorization: `Bearer ${"x".repeat(TOKEN.length)}` }, "203.0.113.7", 404],
    ["an empty token", { authorization: "Bearer " }, "203.0.113.7", 404],
    ["Basic authentication", { authorization: `Basic ${TOKEN}` }, "203.0.113.7", 404],
    ["a token with non-ASCII letters", { authorization: "Bearer ééééééééééééé" }, "203.0.113.7", 404],
  ] as const)("%s", async (_client, headers, from, status) => {
    const response = await read(headers, from);
    expect(response.statusCode).toBe(status);
    if (status === 404) expect(response.json()).toEqual(["Not found.", { code: "not_found" }]);
  });
});
