import { readFile } from "node:fs/promises";
import { basename } from "node:path";

import { exportHubs } from "@marketday/server/modules/hubs/export-hubs";
import { hubProperties } from "@marketday/server/modules/hubs/hub-file";
import { type HubsOutcome, importHubs } from "@marketday/server/modules/hubs/import-hubs";
import { ImportRefused, problemText } from "@marketday/server/modules/imports/problem";
import type { Command } from "commander";
import { findNodeAtLocation, parseTree } from "jsonc-parser";

import { command, group } from "../lib/cli/command.ts";
import { some } from "../lib/cli/values.ts";
import { jsonProblem, placeOf } from "../lib/files/json.ts";
import { keepGoing, rejectedPath, rejectedWords } from "../lib/files/keep-going.ts";
import { withFileName } from "../lib/files/with-file-name.ts";
import { writeText } from "../lib/files/write.ts";

const refused = (right: string): ImportRefused =>
  new ImportRefused([{ line: 0, position: null, column: null, value: null, right }]);

/** The features of a GeoJSON file, and where each thing in it stands. */
async function readFeatures(path: string) {
  const text = (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  if (text.trim() === "") throw refused("The file is empty. It should be GeoJSON with a feature for each hub.");
  if (/^(PK|<)/.test(text.trimStart()))
    throw refused("This is not GeoJSON but a file of another kind (KML, a shapefile?). Export the areas as GeoJSON.");
  let parsed: { type?: unknown; features?: unknown } | null;
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    throw jsonProblem(text);
  }
  if (parsed?.type !== "FeatureCollection" || !Array.isArray(parsed.features))
    throw refused(
      `${parsed?.type === "Feature" ? "This is a single feature" : "This is not a collection of hubs"}. The file should be { "type": "FeatureCollection", "features": [ … ] } with a feature for each hub.`,
    );
  if (parsed.features.length === 0)
    throw refused("The file has no features: nothing to import. Each hub is one feature.");
  let tree: ReturnType<typeof parseTree>;
  return {
    features: parsed.features as unknown[],
    placeOf(wanted: readonly (string | number)[]) {
      tree ??= parseTree(text);
      // What is missing has no place: the nearest thing around it has.
      for (let depth = wanted.length; depth > 0; depth -= 1) {
        const node = tree && findNodeAtLocation(tree, wanted.slice(0, depth));
        if (node) return placeOf(text, node.offset);
      }
      return { line: 1, position: null };
    },
  };
}

/** The hubs that were not taken, as they stood, each with why beside its properties: GeoJSON that can be imported. */
async function writeRejectedHubs(
  to: string,
  features: readonly unknown[],
  rejected: HubsOutcome["rejected"],
): Promise<void> {
  const lines = [...Map.groupBy(rejected, ({ feature }) => feature)].map(([place, problems]) => {
    const given = features[place];
    const problem = problems.map((each) => problemText(each)).join("\n");
    return JSON.stringify(typeof given === "object" && given !== null ? { ...given, problem } : { problem, given });
  });
  await writeText(to, `{"type":"FeatureCollection","features":[\n${lines.join(",\n")}\n]}\n`);
}

const about = `A GeoJSON FeatureCollection: each feature is a hub, its geometry (Polygon, MultiPolygon, with holes, or null) the area
it serves. Hubs are known by their slug. The time zone comes from the place when it is left out. Delivery days follow a
change of weekday or closures: days with orders stay. Properties:
  ${Object.keys(hubProperties.shape).join(", ")}
Money is in dollars, rates in percent. zips, pickupPoints and closures replace what the hub had; left out they stay.`;

/** `market hubs import|export`. */
export const hubsCommand = (): Command =>
  group("hubs", "bring hubs in from GeoJSON, or write them to it", [
    command<{ keepGoing?: boolean }>({
      name: "import <file>",
      summary: "bring hubs in from a GeoJSON file",
      about,
      examples: ["hubs import hubs.geojson --dry-run", "hubs import hubs.geojson"],
      options: (made) =>
        keepGoing("hubs")(made).option("--yes", "take outlines that do not contain the middle of their hub's zip"),
      writes: true,
      run: async ({ options, out, market, signal }, path) => {
        const rejectedFile = rejectedPath(path, "geojson");
        const outcome = await withFileName(path, async () => {
          const file = await readFeatures(path);
          const how = {
            dryRun: options.dryRun === true,
            keepGoing: options.keepGoing === true,
            isOutsideFine: options.yes === true,
            signal,
          };
          const done = await market((ctx) => importHubs(ctx, { name: basename(path), ...file }, how), {
            long: true,
            stopsItself: true,
          });
          if (done.rejected.length > 0 && !options.dryRun)
            await writeRejectedHubs(rejectedFile, file.features, done.rejected);
          return done;
        });
        const isPartly = outcome.rejected.length > 0;
        const words = rejectedWords(path, "hubs", outcome.rejected, options.dryRun ? null : rejectedFile);
        const answer = { ...outcome, dryRun: options.dryRun === true, rejectedFile: isPartly ? rejectedFile : null };
        out.answer(answer, ({ hubs }) =>
          [
            `${options.dryRun ? "Would take in" : "Took in"} ${path}: ${some(hubs.length, "hubs")}.`,
            ...hubs.map(
              ({ slug, is, daysAdded, daysRemoved }) =>
                `  ${slug}: ${is}${daysAdded.length > 0 ? `, ${daysAdded.length} delivery days new` : ""}${daysRemoved.length > 0 ? `, ${daysRemoved.length} empty ones gone` : ""}`,
            ),
            ...(!isPartly &&
            hubs.every(
              ({ is, daysAdded, daysRemoved }) => is === "as it was" && daysAdded.length + daysRemoved.length === 0,
            )
              ? ["The market has all of it already; nothing was changed."]
              : []),
            ...words,
          ].join("\n"),
        );
      },
    }),
    command({
      name: "export [file]",
      summary: "write all hubs to a GeoJSON file, or to standard output",
      examples: ["hubs export hubs.geojson"],
      run: async ({ out, market }, path) => {
        const { features, type } = await market((ctx) => exportHubs(ctx));
        const lines = features.map((feature) => JSON.stringify(feature));
        await writeText(path, `{"type":"${type}","features":[\n${lines.join(",\n")}\n]}\n`);
        if (path !== undefined)
          out.answer({ file: path, hubs: features.length }, () => `Wrote ${some(features.length, "hubs")} to ${path}.`);
      },
    }),
  ]);
