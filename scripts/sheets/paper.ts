import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import PDFDocument from "pdfkit";

import { legible } from "./legible.ts";

/** Points (72 to the inch): US Letter, half an inch of margin. */
export const PAGE = { width: 612, height: 792, margin: 36 } as const;
export const INNER = PAGE.width - 2 * PAGE.margin;
const BODY_TOP = 96;
const BODY_BOTTOM = PAGE.height - 48;

/** What stands on every page. All of it comes from the frozen day: the same version prints the same bytes. */
export interface Stamp {
  /** "Carmel" */
  hub: string;
  /** "Thursday, November 26, 2026" */
  day: string;
  /** "Thu, Nov 26" */
  dayShort: string;
  version: number;
  /** "frozen Wed, Nov 25, 1:00 AM" */
  frozen: string;
  frozenAt: Date;
}

const font = (weight: number) => fileURLToPath(new URL(`fonts/figtree-${weight}.ttf`, import.meta.url));

export interface TextStyle {
  size?: number;
  bold?: boolean;
  align?: "left" | "center" | "right";
  color?: string;
  /** At most so many lines; the last one ends in "…". */
  lines?: number;
}

/** A PDF that is drawn top to bottom: sections begin on a new page, every page says what it is and which of how many. */
export class Paper {
  readonly doc: PDFKit.PDFDocument;
  /** Where the next thing goes, points from the top. */
  y = BODY_TOP;
  private readonly title: string;
  private readonly stamp: Stamp;
  /** The section under way; `first` counts its pages from the file's first. */
  private part = { name: "", bare: false, first: 0, pages: 0 };
  /** Repeats the head of a table when it goes on overleaf. */
  private again: (() => void) | null = null;

  constructor(title: string, stamp: Stamp, out: Writable) {
    this.title = title;
    this.stamp = stamp;
    this.doc = new PDFDocument({
      size: "LETTER",
      margin: 0,
      autoFirstPage: false,
      bufferPages: true,
      pdfVersion: "1.7",
      lang: "en-US",
      displayTitle: true,
      info: {
        Title: `${title}, ${legible(stamp.hub)}, ${stamp.day}, version ${stamp.version}`,
        Creator: "Marketday",
        Producer: "Marketday",
        // Also seeds the file's id: no clock, no chance.
        CreationDate: stamp.frozenAt,
      },
    });
    this.doc.registerFont("plain", font(400));
    this.doc.registerFont("bold", font(700));
    this.doc.pipe(out);
  }

  /** Begins a page of a new section. `bare`: nothing is printed on it but the line at the very top (labels). */
  section(name: string, bare = false): void {
    this.endSection();
    this.again = null;
    this.part = { name: legible(name), bare, first: this.part.first + this.part.pages, pages: 0 };
    this.overleaf();
  }

  /** The next page of the same section. */
  overleaf(): void {
    this.doc.addPage();
    this.part.pages += 1;
    this.y = BODY_TOP;
    this.again?.();
  }

  /** Writes head and foot of the section's pages, now that their number is known, and lets go of them. */
  private endSection(): void {
    const { name, bare, first, pages } = this.part;
    for (let place = 1; place <= pages; place += 1) {
      this.doc.switchToPage(first + place - 1);
      if (bare) this.bareHead(place, pages);
      else this.headAndFoot(name, { page: place, of: pages, sheet: first + place });
    }
    this.doc.flushPages();
  }

  /** Makes sure that so many points are left on this page, else goes on overleaf. */
  need(points: number): void {
    if (this.y + points > BODY_BOTTOM && this.y > BODY_TOP) this.overleaf();
  }

  /** Draws a table's head now and on every page that the table goes on to. */
  head(draw: (() => void) | null): void {
    this.again = draw;
    draw?.();
  }

  /** How wide a text is in one line. */
  width(text: string, { size = 12, bold = false }: TextStyle = {}): number {
    return this.doc
      .font(bold ? "bold" : "plain")
      .fontSize(size)
      .widthOfString(legible(text));
  }

  /** A text in lines that fit into `width`; the last of `lines` is cut where it must be. */
  wrap(text: string, width: number, style: TextStyle = {}): string[] {
    const fits = (line: string) => this.width(line, style) <= width;
    const lines: string[] = [];
    let line = "";
    for (const word of legible(text).split(" ")) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (fits(longer)) line = longer;
      else {
        if (line !== "") lines.push(line);
        line = word;
        while (!fits(line)) {
          const most = this.prefix(line, width, style);
          lines.push(line.slice(0, most));
          line = line.slice(most);
        }
      }
    }
    lines.push(line);
    const most = style.lines ?? Infinity;
    if (lines.length <= most) return lines;
    const last = lines.slice(most - 1).join(" ");
    const room = width - this.width("…", style);
    return [...lines.slice(0, most - 1), `${last.slice(0, this.prefix(last, room, style)).trimEnd()}…`];
  }

  /** How many letters fit, at least one. */
  private prefix(text: string, width: number, style: TextStyle): number {
    let [fits, most] = [1, text.length];
    while (fits < most) {
      const middle = Math.ceil((fits + most) / 2);
      if (this.width(text.slice(0, middle), style) <= width) fits = middle;
      else most = middle - 1;
    }
    return fits;
  }

  /** Writes one text into a box `width` wide at x, y; answers its height. */
  text(text: string, x: number, y: number, width: number, style: TextStyle = {}): number {
    const { size = 12, bold = false, align = "left", color = "#000" } = style;
    const lines = this.wrap(text, width, style);
    const step = size * 1.22;
    for (const [place, line] of lines.entries()) {
      const room = width - this.width(line, style);
      const shift = align === "left" ? 0 : align === "right" ? room : room / 2;
      this.doc
        .font(bold ? "bold" : "plain")
        .fontSize(size)
        .fillColor(color)
        .text(line, x + shift, y + place * step, { lineBreak: false });
    }
    return lines.length * step;
  }

  /** How high `text` would be. */
  height(text: string, width: number, style: TextStyle = {}): number {
    return this.wrap(text, width, style).length * (style.size ?? 12) * 1.22;
  }

  /** A square to tick. */
  tick(x: number, y: number, size = 14): void {
    this.doc.lineWidth(1.4).strokeColor("#000").rect(x, y, size, size).stroke();
  }

  /** A line across, or from x for `width`. */
  rule(y: number, style: { x?: number; width?: number; weight?: number; color?: string } = {}): void {
    const { x = PAGE.margin, width = INNER, weight = 0.5, color = "#999" } = style;
    this.doc
      .lineWidth(weight)
      .strokeColor(color)
      .moveTo(x, y)
      .lineTo(x + width, y)
      .stroke();
  }

  /** A filled box. */
  fill(x: number, y: number, width: number, height: number, color: string): void {
    this.doc.rect(x, y, width, height).fill(color);
  }

  /** Ends the file. */
  async finish(): Promise<void> {
    this.endSection();
    const ended = new Promise<void>((resolve, reject) => this.doc.once("end", resolve).once("error", reject));
    this.doc.end();
    await ended;
  }

  private bareHead(page: number, of: number): void {
    const { hub, dayShort, version } = this.stamp;
    const line = `${this.title} · ${hub} · ${dayShort} · version ${version} · page ${page} of ${of}`;
    this.text(line, PAGE.margin, 16, INNER, { size: 9, align: "center", lines: 1 });
  }

  private headAndFoot(section: string, at: { page: number; of: number; sheet: number }): void {
    const { hub, day, dayShort, version, frozen } = this.stamp;
    const right = 190;
    this.text(this.title, PAGE.margin, 30, INNER - right, { size: 13, color: "#444", lines: 1 });
    this.text(section, PAGE.margin, 46, INNER - right, { size: 26, bold: true, lines: 1 });
    this.text(dayShort, PAGE.width - PAGE.margin - right, 30, right, {
      size: 22,
      bold: true,
      align: "right",
      lines: 1,
    });
    const under = version > 1 ? `${hub} · VERSION ${version}` : hub;
    const x = PAGE.width - PAGE.margin - right;
    this.text(under, x, 58, right, { size: 13, bold: version > 1, align: "right", lines: 1 });
    this.rule(82, { weight: 2, color: "#000" });
    const foot = PAGE.height - 34;
    this.rule(foot - 5, { weight: 0.75, color: "#000" });
    this.text(`${hub} · ${day}`, PAGE.margin, foot, 230, { size: 9, lines: 1 });
    const stamp = `version ${version}, ${frozen}`;
    this.text(stamp, PAGE.margin + 190, foot, INNER - 380, { size: 9, align: "center", lines: 1 });
    this.text(`Page ${at.page} of ${at.of} · sheet ${at.sheet}`, PAGE.width - PAGE.margin - 190, foot, 190, {
      size: 9,
      bold: true,
      align: "right",
      lines: 1,
    });
  }
}
