/** What we use of topojson-client, which comes without types. */
declare module "topojson-client" {
  /** Joins the polygons of some objects into one: the borders between them go. */
  export function merge(
    topology: unknown,
    objects: readonly unknown[],
  ): { type: "MultiPolygon"; coordinates: [number, number][][][] };
}
