import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test, vi } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub } from "../../../test/factories.ts";
import { httpGeocoder } from "./geocoder.ts";
import { zipTables } from "./zip-tables.ts";

const tables = zipTables();
const CARMEL = { lat: 39.96, lng: -86.13 };

/** Looks up Carmel with a geocoder that responds with `handler`. Returns the zip and the requested URLs. */
async function find(handler: RequestListener, withinMs = 60_000) {
  const requestedUrls: string[] = [];
  const server = createServer((request, response) => {
    requestedUrls.push(request.url ?? "");
    handler(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  try {
    const place = await httpGeocoder(`http://127.0.0.1:${port}/reverse?key=k`, tables, withinMs).zipAt(
      CARMEL.lat,
      CARMEL.lng,
    );
    return { requestedUrls, zipCode: place?.zipCode };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const respond =
  (body: string, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(body);

test.each([
  ['{"zipCode":"60614"}', "60614"],
  ['{"address":{"postcode":"60614-1234","city":"Chicago"}}', "60614"],
])("geocoder: the zip of %s is used", { tags: ["spec:7.12-01"] }, async (body, zipCode) => {
  const { requestedUrls, ...result } = await find(respond(body));
  expect(result.zipCode).toBe(zipCode);
  expect(requestedUrls).toEqual(["/reverse?key=k&lat=39.96&lon=-86.13&lng=-86.13&format=json"]);
});

const tableZip = (await tables.zipAt(CARMEL.lat, CARMEL.lng))?.zipCode;
test.each<[string, RequestListener, withinMs?: number]>([
  ["is down", respond('{"zipCode":"60614"}', 500)],
  ["returns no JSON", respond("<html>")],
  ["returns another type", respond('{"zipCode":60614}')],
  ["returns an unknown zip", respond('{"zipCode":"00000"}')],
  ["returns a zip of another country", respond('{"address":{"postcode":"SW1A 1AA"}}')],
  ["returns too much", respond(`{"zipCode":"60614","more":"${"x".repeat(70_000)}"}`)],
  ["redirects", (_request, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
  ["never answers", () => undefined, 300],
  ["never ends", (_request, response) => void response.writeHead(200).write("{"), 300],
])(
  "geocoder that %s: the tables are used",
  { tags: ["fail:E5", "fail:I13", "spec:7.12-01"] },
  async (_case, handler, withinMs) => {
    expect(tableZip).toMatch(/^46\d{3}$/);
    expect((await find(handler, withinMs)).zipCode).toBe(tableZip);
  },
);

test("geocoder: timeout of two seconds", { tags: ["fail:E5"] }, async () => {
  const limits = vi.spyOn(AbortSignal, "timeout");
  await httpGeocoder("http://127.0.0.1:1/", tables).zipAt(CARMEL.lat, CARMEL.lng);
  expect(limits.mock.calls).toEqual([[2_000]]);
  limits.mockRestore();
});

test("geocoder that never answers: a shopper can still find a zip and register", { tags: ["fail:E5"] }, async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const { port } = silent.address() as AddressInfo;
  const market = await buildTestApp({
    overrides: { geocoder: httpGeocoder(`http://127.0.0.1:${port}/`, tables, 300) },
  });
  await createHub(market.db, { zips: [tableZip!] });
  const browser = market.shopper();
  const { status, body } = await browser.get(`/geo/zip?lat=${CARMEL.lat}&lng=${CARMEL.lng}`);
  expect([status, body.zipCode]).toEqual([200, tableZip]);
  const person = { email: "ada@example.com", password: "wheelbarrow", firstName: "Ada", lastName: "Brown" };
  const registered = await browser.post("/auth/register", { ...person, zipCode: body.zipCode });
  expect([registered.status, registered.body.isGuest]).toEqual([200, false]);
  silent.closeAllConnections();
  silent.close();
});

test("geocoder: places are looked up in the tables", () => {
  expect(httpGeocoder("http://127.0.0.1:1/", tables).place("46032")).toMatchObject({ city: "Carmel", state: "IN" });
});
