import { readFile } from "node:fs/promises";
import { basename } from "node:path";

import type { Accepted } from "@marketday/server/lib/amount-changes";
import { ImportRefused, problemText } from "@marketday/server/lib/file-problem";
import { exportHubs } from "@marketday/server/modules/hubs/export-hubs";
import { hubProperties } from "@marketday/server/modules/hubs/hub-file";
import { type HubsOutcome, importHubs } from "@marketday/server/modules/hubs/import-hubs";
import type { Command } from "commander";
import { findNodeAtLocation, parseTree } from "jsonc-parser";

import { command, group } from "../lib/cli/command.ts";
import { some } from "../lib/cli/values.ts";
import { type AcceptNames, acceptNames } from "../lib/files/accept-names.ts";
import { amountLines, largeChanges, withAcceptedChanges } from "../lib/files/amount-changes.ts";
import { fieldLines } from "../lib/files/field-changes.ts";
import { withFileName } from "../lib/files/import-errors.ts";
import { jsonProblem, placeOf } from "../lib/files/json.ts";
import { keepGoing, rejectedPath, rejectedWords } from "../lib/files/keep-going.ts";
import { writeText } from "../lib/files/write.ts";

const rejection = (message: string): ImportRefused =>
  new ImportRefused([{ line: 0, position: null, column: null, value: null, right: message }]);

/** A text in UTF-8, or in UTF-16 with a byte order mark, as PowerShell writes it. */
function decodeText(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString("hex");
  const encoding = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/** The features of a GeoJSON file, and a function for the line and character of a property. */
async function readFeatures(path: string) {
  const text = decodeText(await readFile(path));
  if (text.trim() === "") throw rejection("The file is empty. It should be GeoJSON with a feature for each hub.");
  if (/^(PK|<)/.test(text.trimStart()))
    throw rejection("This is not GeoJSON but a file of another kind (KML, a shapefile?). Export the areas as GeoJSON.");
  let parsed: { type?: unknown; features?: unknown; crs?: { properties?: { name?: unknown } } | null } | null;
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    throw jsonProblem(text);
  }
  // A file of one feature is valid GeoJSON too.
  const single = parsed?.type === "Feature";
  const features = single ? [parsed] : parsed?.features;
  if ((!single && parsed?.type !== "FeatureCollection") || !Array.isArray(features))
    throw rejection(
      'This is not a collection of hubs. The file should be { "type": "FeatureCollection", "features": [ … ] } with a feature for each hub.',
    );
  if (features.length === 0) throw rejection("The file has no features: nothing to import. Each hub is one feature.");
  let tree: ReturnType<typeof parseTree>;
  const crs = parsed?.crs?.properties?.name;
  return {
    features: features as unknown[],
    crs: typeof crs === "string" ? crs : null,
    placeOf(path: readonly (string | number)[]) {
      const jsonPath = single ? path.slice(2) : path;
      tree ??= parseTree(text);
      // A missing property has no place: use the nearest node around it.
      for (let depth = jsonPath.length; depth > 0; depth -= 1) {
        const node = tree && findNodeAtLocation(tree, jsonPath.slice(0, depth));
        if (node) return placeOf(text, node.offset);
      }
      return { line: 1, position: null };
    },
  };
}

/** Writes the rejected hubs as they were, each with its problem beside its properties: GeoJSON that can be imported. */
async function writeRejectedHubs(
  to: string,
  features: readonly unknown[],
  rejected: HubsOutcome["rejected"],
): Promise<void> {
  const lines = [...Map.groupBy(rejected, ({ feature }) => feature)].map(([index, problems]) => {
    const feature = features[index];
    const problem = problems.map((each) => problemText(each)).join("\n");
    return JSON.stringify(
      typeof feature === "object" && feature !== null ? { ...feature, problem } : { problem, given: feature },
    );
  });
  await writeText(to, `{"type":"FeatureCollection","features":[\n${lines.join(",\n")}\n]}\n`);
}

/** "carmel: changed, 11 new delivery days, 10 empty ones removed" */
const formatHub = ({ slug, is, daysAdded, daysRemoved }: HubsOutcome["hubs"][number]): string =>
  [
    `  ${slug}: ${is}`,
    ...(daysAdded.length > 0 ? [`${daysAdded.length} new delivery days`] : []),
    ...(daysRemoved.length > 0 ? [`${daysRemoved.length} empty ones removed`] : []),
  ].join(", ");

/** "    pickup point Depot Barn → Depot Barn (rear door): 2 open orders, 2 customers are emailed" */
const formatPoint = ({ name, renamedFrom, boxes, mails }: HubsOutcome["hubs"][number]["points"][number]): string =>
  [
    `    pickup point ${renamedFrom === null ? "" : `${renamedFrom} → `}${name}`,
    ...(boxes > 0
      ? [
          `${some(boxes, "open orders")}${mails > 0 ? `, ${mails === 1 ? "1 customer is" : `${mails} customers are`} emailed` : ""}`,
        ]
      : []),
  ].join(": ");

const isUnchanged = ({ is, daysAdded, daysRemoved }: HubsOutcome["hubs"][number]): boolean =>
  is === "as it was" && daysAdded.length + daysRemoved.length === 0;

const about = `A GeoJSON FeatureCollection: each feature is a hub, its geometry (Polygon, MultiPolygon, with holes, or null) the area
it serves. Hubs are identified by their slug. The default time zone is that of the place. Delivery days follow a change of weekday
or closures: days with orders stay. Properties:
  ${Object.keys(hubProperties.shape).join(", ")}
Money is in dollars, rates in percent. What is left out, null or an empty text (the geometry too) stays as it is in a hub that
exists, and has its default in a new one; the word "none" empties it. zips, pickupPoints and closures are whole lists, and what a
pickup point or a closure leaves out stays too, but a point without "active" is open, and a new one without city and state has those
of its zip. A pickup point is identified by its "id", which the export has, else by its name: to rename it, keep its id. Its orders
stay, and customers who have some are emailed when its name, address or hours change. One that is left out closes. A dry run lists
each value that would change, old → new.`;

/** `market hubs import|export`. */
export const hubsCommand = (): Command =>
  group("hubs", "import hubs from GeoJSON, or export them", [
    command<AcceptNames & { keepGoing?: boolean; closePoints?: boolean }>({
      name: "import <file>",
      summary: "import hubs from a GeoJSON file",
      about,
      examples: ["hubs import hubs.geojson --dry-run", "hubs import hubs.geojson"],
      options: (cmd) =>
        acceptNames(largeChanges(keepGoing("hubs")(cmd)))
          .option("--close-points", "close pickup points to which orders, or automatic orders to come, go")
          .option("--yes", "accept outlines that do not contain the center of their hub's zip"),
      writes: true,
      run: async (tools, path) => {
        const { options, out, market, signal } = tools;
        const rejectedFile = rejectedPath(path, "geojson");
        const importWith = async (accepted: Accepted) => {
          const file = await readFeatures(path);
          const importOptions = {
            dryRun: options.dryRun === true,
            keepGoing: options.keepGoing === true,
            isOutsideFine: options.yes === true,
            acceptPoints: { names: options.acceptNames === true, closing: options.closePoints === true },
            accepted,
            signal,
          };
          const done = await market((ctx) => importHubs(ctx, { name: basename(path), ...file }, importOptions), {
            long: true,
            stopsItself: true,
          });
          if (done.rejected.length > 0 && !options.dryRun)
            await writeRejectedHubs(rejectedFile, file.features, done.rejected);
          return done;
        };
        const outcome = await withFileName(path, () => withAcceptedChanges(tools, path, importWith));
        const hasRejected = outcome.rejected.length > 0;
        const rejectedLines = rejectedWords(path, "hubs", outcome.rejected, options.dryRun ? null : rejectedFile);
        const answer = { ...outcome, dryRun: options.dryRun === true, rejectedFile: hasRejected ? rejectedFile : null };
        out.answer(answer, ({ hubs }) =>
          [
            `${options.dryRun ? "Would import" : "Imported"} ${path}: ${some(hubs.length, "hubs")}.`,
            ...hubs.flatMap((hub) => [formatHub(hub), ...hub.points.map(formatPoint)]),
            ...amountLines(outcome.amounts, options.dryRun === true),
            ...fieldLines(outcome.fields, options.dryRun === true),
            ...(!hasRejected && hubs.every(isUnchanged)
              ? ["The market already has all of it; nothing was changed."]
              : []),
            ...rejectedLines,
          ].join("\n"),
        );
      },
    }),
    command({
      name: "export [file]",
      summary: "export all hubs to a GeoJSON file, or to standard output",
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
