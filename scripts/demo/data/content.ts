import { readdirSync, readFileSync } from "node:fs";

import { addDays, type CalendarDate } from "@marketday/domain/calendar-date";
import slugify from "@sindresorhus/slugify";

import { sharedPicture } from "./pictures.ts";
import type { LooseRow } from "./rows.ts";
import { vendorPlans } from "./vendors.ts";

const fileUrl = (name: string): URL => new URL(name, import.meta.url);
const cells = (row: string): string[] => row.split("|").map((cell) => cell.trim());

/** The pages of `content/`: the first line is the title, the rest Markdown. */
export function contentPages(): { slug: string; title: string; body: string }[] {
  return readdirSync(fileUrl("./content"))
    .filter((file) => file.endsWith(".md"))
    .toSorted()
    .map((file) => {
      const [first = "", ...rest] = readFileSync(fileUrl(`./content/${file}`), "utf8").split("\n");
      return { slug: file.slice(0, -3), title: first.replace(/^# /, ""), body: rest.join("\n").trim() };
    });
}

/** FAQ entries of `faq.txt`: question, answer, trigger phrases. */
export function faqEntries(): LooseRow[] {
  return readFileSync(fileUrl("./faq.txt"), "utf8")
    .split("\n")
    .filter((row) => row.trim() !== "")
    .map((row, position) => {
      const [question = "", answer = "", phrases = ""] = cells(row);
      return { id: position + 1, question, answer, trigger_phrases: phrases.split(", "), position };
    });
}

/** Articles of `blog.txt`, dated back from `monday`. */
export function blogPosts(monday: CalendarDate): LooseRow[] {
  return readFileSync(fileUrl("./blog.txt"), "utf8")
    .split(/^# /m)
    .filter((block) => block.trim() !== "")
    .map((block, place) => {
      const [head = "", ...body] = block.split("\n");
      const [title = "", category = "", author = "", picture = "", days = "0"] = cells(head);
      return {
        id: place + 1,
        slug: slugify(title),
        title,
        image_id: sharedPicture(picture).id,
        author,
        publish_date: addDays(monday, -Number(days)),
        category,
        body: body.join("\n").trim(),
        vendor_id: vendorPlans.find((vendor) => vendor.name === author)?.id ?? null,
      };
    });
}
