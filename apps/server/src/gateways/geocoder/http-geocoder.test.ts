import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test, vi } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub } from "../../../test/factories.ts";
import { httpGeocoder } from "./http-geocoder.ts";
import { zipTables } from "./zip-tables.ts";

const tables = zipTables();
const CARMEL = { lat: 39.96, lng: -86.13 };

/** What is found at Carmel when a geocoder answers like that, waited for so many ms, and what it was asked. */
async function find(answer: RequestListener, withinMs = 60_000) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  try {
    const place = await httpGeocoder(`http://127.0.0.1:${port}/reverse?key=k`, tables, withinMs).zipAt(
      CARMEL.lat,
      CARMEL.lng,
    );
    return { asked, zipCode: place?.zipCode };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const says =
  (body: string, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(body);

test.each([
  ['{"zipCode":"60614"}', "60614"],
  ['{"address":{"postcode":"60614-1234","city":"Chicago"}}', "60614"],
])("%s is taken", { tags: ["spec:7.12-01"] }, async (body, zipCode) => {
  const { asked, ...found } = await find(says(body));
  expect(found.zipCode).toBe(zipCode);
  expect(asked).toEqual(["/reverse?key=k&lat=39.96&lon=-86.13&lng=-86.13&format=json"]);
});

const own = (await tables.zipAt(CARMEL.lat, CARMEL.lng))?.zipCode;
test.each<[string, RequestListener, withinMs?: number]>([
  ["is down", says('{"zipCode":"60614"}', 500)],
  ["says no JSON", says("<html>")],
  ["says something else", says('{"zipCode":60614}')],
  ["knows no such zip", says('{"zipCode":"00000"}')],
  ["says a zip of another country", says('{"address":{"postcode":"SW1A 1AA"}}')],
  ["talks too much", says(`{"zipCode":"60614","more":"${"x".repeat(70_000)}"}`)],
  [
    "sends us elsewhere",
    (_request, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
  ],
  ["never answers", () => undefined, 300],
  ["never ends", (_request, response) => void response.writeHead(200).write("{"), 300],
])(
  "one that %s leaves it to the tables",
  { tags: ["fail:E5", "fail:I13", "spec:7.12-01"] },
  async (_what, answer, withinMs) => {
    expect(own).toMatch(/^46\d{3}$/);
    expect((await find(answer, withinMs)).zipCode).toBe(own);
  },
);

test("it is given two seconds", { tags: ["fail:E5"] }, async () => {
  const limits = vi.spyOn(AbortSignal, "timeout");
  await httpGeocoder("http://127.0.0.1:1/", tables).zipAt(CARMEL.lat, CARMEL.lng);
  expect(limits.mock.calls).toEqual([[2_000]]);
  limits.mockRestore();
});

test("somebody registers from where they stand while it never answers", { tags: ["fail:E5"] }, async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const { port } = silent.address() as AddressInfo;
  const market = await buildTestApp({
    overrides: { geocoder: httpGeocoder(`http://127.0.0.1:${port}/`, tables, 300) },
  });
  await createHub(market.db, { zips: [own!] });
  const browser = market.shopper();
  const { status, body } = await browser.get(`/geo/zip?lat=${CARMEL.lat}&lng=${CARMEL.lng}`);
  expect([status, body.zipCode]).toEqual([200, own]);
  const person = { email: "ada@example.com", password: "wheelbarrow", firstName: "Ada", lastName: "Brown" };
  const made = await browser.post("/auth/register", { ...person, zipCode: body.zipCode });
  expect([made.status, made.body.isGuest]).toEqual([200, false]);
  silent.closeAllConnections();
  silent.close();
});

test("places are looked up in the tables", () => {
  expect(httpGeocoder("http://127.0.0.1:1/", tables).place("46032")).toMatchObject({ city: "Carmel", state: "IN" });
});
