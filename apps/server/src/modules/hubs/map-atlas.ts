import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { Polygon, Position } from "@marketday/domain/geo";

import { bboxOf, type Box } from "./map-frame.ts";

const require = createRequire(import.meta.url);

type Area = { type: "Polygon"; coordinates: Position[][] } | { type: "MultiPolygon"; coordinates: Position[][][] };
interface Shape {
  id: string;
  properties: { name: string };
}
interface Objects {
  type: "GeometryCollection";
  geometries: Shape[];
}
interface Topology {
  objects: { counties: Objects; states: Objects };
}
/** The used part of topojson-client, which has no types. */
interface Topojson {
  feature(
    topology: Topology,
    objects: Objects,
  ): { features: { id: string; properties: { name: string }; geometry: Area }[] };
  mesh(
    topology: Topology,
    objects: Objects,
    filter?: (a: unknown, b: unknown) => boolean,
  ): { coordinates: Position[][] };
}

/** A county of the United States, degrees. */
export interface County {
  name: string;
  /** In full: "Indiana". */
  state: string;
  box: Box;
  polygons: Polygon[];
}

/** Counties and the lines between them. */
export interface Atlas {
  /** Counties whose box meets another box. */
  countiesIn(box: Box): County[];
  /** The borders between counties, each once. */
  borders(counties: readonly County[]): Position[][];
  /** The outlines of all states. */
  states: Position[][];
}

const meet = (a: Box, b: Box): boolean =>
  a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north;

function readAtlas(): Atlas {
  const { feature, mesh } = require("topojson-client") as Topojson;
  const topology = JSON.parse(readFileSync(require.resolve("us-atlas/counties-10m.json"), "utf8")) as Topology;
  const { counties, states } = topology.objects;
  const stateNames = new Map(states.geometries.map(({ id, properties }) => [id, properties.name]));
  const shapes = new Map<County, Shape>();
  for (const [place, { id, properties, geometry }] of feature(topology, counties).features.entries()) {
    const rings = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
    const polygons = rings.map((coordinates): Polygon => ({ type: "Polygon", coordinates }));
    const county = {
      name: properties.name,
      state: stateNames.get(id.slice(0, 2)) ?? "",
      box: bboxOf(rings.flat(2)),
      polygons,
    };
    shapes.set(county, counties.geometries[place]!);
  }
  const all = [...shapes.keys()];
  return {
    countiesIn: (box) => all.filter((county) => meet(county.box, box)),
    borders: (some) =>
      mesh(topology, { type: "GeometryCollection", geometries: some.flatMap((county) => shapes.get(county) ?? []) })
        .coordinates,
    states: mesh(topology, states).coordinates,
  };
}

/** Some megabytes for a few drawings, held weakly so that memory can be reclaimed. */
let held: WeakRef<Atlas> | undefined;

/** The atlas (us-atlas, Census outlines); read at first use. */
export function atlas(): Atlas {
  let read = held?.deref();
  if (!read) held = new WeakRef((read = readAtlas()));
  return read;
}
