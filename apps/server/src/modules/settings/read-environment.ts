import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Environment } from "@marketday/contracts/admin/settings";

import { type Env, projectRoot } from "../../env.ts";
import { settingWarnings } from "../../setting-warnings.ts";

/** A setting as `.env.example` explains it. */
interface Explained {
  name: string;
  about: string;
}

/**
 * The groups of `.env.example`: a headline is "# --- Mail ---", the comment above a setting is about it, and about those that follow
 * without a comment.
 */
export function parseExample(text: string): { title: string; settings: Explained[] }[] {
  const groups: { title: string; settings: Explained[] }[] = [];
  let comment: string[] = [];
  let isRead = false;
  for (const line of text.split("\n")) {
    const title = /^# -{3,} (.+?) -{3,}$/.exec(line)?.[1];
    const name = /^#?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1];
    const words = /^# (.*)$/.exec(line)?.[1];
    if (title !== undefined) groups.push({ title, settings: [] });
    else if (name !== undefined) {
      groups.at(-1)?.settings.push({ name, about: comment.join(" ") });
      isRead = true;
      continue;
    } else if (words !== undefined) comment = isRead ? [words] : [...comment, words];
    if (title !== undefined || line === "") comment = [];
    isRead = false;
  }
  return groups;
}

/** Empty where the installation has no `.env.example`. */
const readExample = (): Promise<string> =>
  readFile(join(projectRoot, ".env.example"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });

/** Every setting with its value, its explanation, and why it is probably not intended. */
export async function readEnvironment(env: Env): Promise<Environment> {
  const groups = parseExample(await readExample());
  const warnings = new Map(settingWarnings(env).map(({ setting, message }) => [setting, message]));
  const values = new Map(env.values.map((value) => [value.name, value]));
  const explained = new Set(groups.flatMap(({ settings }) => settings.map(({ name }) => name)));
  const others = env.values.flatMap(({ name }) => (explained.has(name) ? [] : [{ name, about: "" }]));
  return {
    groups: [...groups, { title: "Others", settings: others }]
      .map(({ title, settings }) => ({
        title,
        settings: settings.flatMap(({ name, about }) => {
          const value = values.get(name);
          return value ? [{ ...value, about, warning: warnings.get(name) ?? null }] : [];
        }),
      }))
      .filter(({ settings }) => settings.length > 0),
    unknown: env.unknownSettings.map(({ name }) => ({ name, warning: warnings.get(name) ?? "" })),
  };
}
