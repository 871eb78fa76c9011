import { expect, test } from "vitest";

import { zipTables } from "./zip-tables.ts";

const geocoder = zipTables();

test("zip tables: a zip has its place, also with leading zeros; an invalid zip has none", () => {
  expect(geocoder.place("46032")).toEqual({
    zipCode: "46032",
    lat: expect.closeTo(39.96, 1),
    lng: expect.closeTo(-86.13, 1),
    city: "Carmel",
    state: "IN",
  });
  expect(geocoder.place("02108")).toMatchObject({ zipCode: "02108", city: "Boston", state: "MA" });
  for (const none of ["00000", "4603", "460321", "abcde", ""]) expect(geocoder.place(none)).toBeNull();
});

test("zip tables: the zip nearest to a zip's centroid is that zip or one at the same point", async () => {
  for (const zipCode of ["46032", "60614", "80202", "98101", "33139", "99501", "96815"]) {
    const place = geocoder.place(zipCode);
    const nearest = place && (await geocoder.zipAt(place.lat, place.lng));
    expect([zipCode, nearest?.lat, nearest?.lng]).toEqual([zipCode, place?.lat, place?.lng]);
  }
});

test("zip tables: no zip far from all centroids", async () => {
  expect(await geocoder.zipAt(30, -50)).toBeNull();
  expect(await geocoder.zipAt(-89.9, 179.9)).toBeNull();
});

test("zip tables: the nearest zip is found across a whole degree, and none that is farther than 80 km", async () => {
  for (const [lat, lng, nearest] of [
    [40.001, -86.13, { zipCode: "46033", lat: expect.closeTo(39.98, 1) }],
    [39.9, -86.999, { zipCode: "47989", lng: expect.closeTo(-87.05, 1) }],
    [39.9995, -86.5, { zipCode: "46052", lat: expect.closeTo(40.04, 1) }],
    [39.9, -87.001, { zipCode: "47989" }],
  ] as const)
    expect(await geocoder.zipAt(lat, lng)).toMatchObject(nearest);
  // Off the mouth of the Mississippi: 74 and 93 km from 70091.
  expect(await geocoder.zipAt(28.5, -89.2)).toMatchObject({ zipCode: "70091" });
  expect(await geocoder.zipAt(28.35, -89)).toBeNull();
});
