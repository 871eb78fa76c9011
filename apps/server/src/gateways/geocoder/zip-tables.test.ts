import { expect, test } from "vitest";

import { zipTables } from "./zip-tables.ts";

const geocoder = zipTables();

test("a zip has its place, with leading zeros, and what is no zip has none", () => {
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

test("each zip is the nearest to its own centroid, or one that lies at the same point", async () => {
  for (const zipCode of ["46032", "60614", "80202", "98101", "33139", "99501", "96815"]) {
    const place = geocoder.place(zipCode);
    const nearest = place && (await geocoder.zipAt(place.lat, place.lng));
    expect([zipCode, nearest?.lat, nearest?.lng]).toEqual([zipCode, place?.lat, place?.lng]);
  }
});

test("far from any zip there is none", async () => {
  expect(await geocoder.zipAt(30, -50)).toBeNull();
  expect(await geocoder.zipAt(-89.9, 179.9)).toBeNull();
});
