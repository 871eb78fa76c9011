import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import PDFDocument from "pdfkit";

import { isBasicText, sanitizeText } from "./sanitize-text.ts";

/** US Letter with half an inch of margin, in points (1/72 inch). */
export const PAGE = { width: 612, height: 792, margin: 36 } as const;
export const INNER = PAGE.width - 2 * PAGE.margin;
const HEAD_TOP = 30;
const FOOT_BOTTOM = PAGE.height - 22;
/** The width of the date and version at the right of every page head. */
const DATE = 150;
/** Sizes of a name in the page head with their maximum number of lines, largest first. */
const NAME_SIZES = [
  { size: 26, lines: 1 },
  { size: 20, lines: 2 },
  { size: 16, lines: 3 },
  { size: 13, lines: Infinity },
];
const FOOT = { size: 9 };
/** Sizes of the line above the labels, which has 26 points of height. */
const BARE_SIZES = [
  { size: 9, lines: 1 },
  { size: 8, lines: 2 },
  { size: 6, lines: Infinity },
];

/** The text on every page. It depends only on the frozen day, so that the same version gives the same bytes. */
export interface Stamp {
  /** "Carmel" */
  hub: string;
  /** "Thursday, November 26, 2026" */
  day: string;
  /** "Thu, Nov 26" */
  dayShort: string;
  /** 0: of no version, as a receipt. */
  version: number;
  /** "frozen Wed, Nov 25, 1:00 AM" */
  frozen: string;
  frozenAt: Date;
}

const font = (name: string) => fileURLToPath(new URL(`fonts/${name}.ttf`, import.meta.url));
/** How much lower Noto Sans has its baseline than Figtree, in sizes of the letters. */
const NOTO_SANS_DROP = 0.119;

interface TextStyle {
  size?: number;
  bold?: boolean;
  align?: "left" | "center" | "right";
  color?: string;
  /** Maximum number of lines; if the text is cut, the last line ends in "…". */
  lines?: number;
  /** A line end of the text begins a new line. */
  multiline?: boolean;
}

/** From one line to the next, in sizes of the letters. */
const LINE_STEP = 1.22;

/** A PDF that is drawn from top to bottom. Sections begin on a new page; every page has its title and "page 1 of 3". */
export class PdfDocument {
  readonly doc: PDFKit.PDFDocument;
  /** Top of the next element, in points from the top of the page. */
  y = 0;
  private title: string;
  private stamp: Stamp;
  /** The current section; `first` is the index of its first page in the file. */
  private part = { name: "", bare: false, first: 0, pages: 0 };
  /** Top and bottom of the section's pages between head and foot; long names make the head higher. */
  private body = { top: 0, bottom: 0 };
  /** Draws the table head again on the next page. */
  private repeatHead: (() => void) | null = null;

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
        Title: `${title}, ${sanitizeText(stamp.hub)}, ${stamp.day}${stamp.version > 0 ? `, version ${stamp.version}` : ""}`,
        Creator: "Marketday",
        Producer: "Marketday",
        // Also the seed of the file's id, which must not depend on the clock or on chance.
        CreationDate: stamp.frozenAt,
      },
    });
    this.doc.registerFont("plain", font("figtree-400"));
    this.doc.registerFont("bold", font("figtree-700"));
    // Read when a text needs them.
    this.doc.registerFont("plain extended", font("noto-sans-400"));
    this.doc.registerFont("bold extended", font("noto-sans-700"));
    this.doc.pipe(out);
  }

  /** Another title on the heads of the next sections. */
  retitle(title: string): void {
    this.endSection();
    this.part = { name: "", bare: false, first: this.part.first + this.part.pages, pages: 0 };
    this.title = title;
  }

  /** The next sections are of another day. */
  restamp(stamp: Stamp, title: string): void {
    this.retitle(title);
    this.stamp = stamp;
  }

  /** Begins a new section on a new page. `bare`: only a line at the very top is printed on its pages (labels). */
  section(name: string, bare = false): void {
    this.endSection();
    this.repeatHead = null;
    this.part = { name: sanitizeText(name), bare, first: this.part.first + this.part.pages, pages: 0 };
    this.body = { top: this.headLayout(name).bottom + 14, bottom: FOOT_BOTTOM - this.footHeight() - 3 };
    this.nextPage();
  }

  /** Begins the next page of the same section. */
  nextPage(): void {
    this.doc.addPage();
    this.part.pages += 1;
    this.y = this.body.top;
    this.repeatHead?.();
  }

  /** Draws head and foot of the section's pages, whose number is now known, and flushes the pages. */
  private endSection(): void {
    const { name, bare, first, pages } = this.part;
    for (let page = 1; page <= pages; page += 1) {
      this.doc.switchToPage(first + page - 1);
      if (bare) this.bareHead(page, pages);
      else this.headAndFoot(name, { page, of: pages, sheet: first + page });
    }
    this.doc.flushPages();
  }

  /** What this page has left, in points. */
  get room(): number {
    return this.body.bottom - this.y;
  }

  /** Begins the next page unless this page has `points` left. */
  need(points: number): void {
    if (points > this.room && this.y > this.body.top) this.nextPage();
  }

  /** Draws a table head now and on every next page, until it is called again or with null. */
  head(draw: (() => void) | null): void {
    this.repeatHead = draw;
    draw?.();
  }

  /** Draws a head on every next page, until `head` is called. */
  onNextPage(draw: () => void): void {
    this.repeatHead = draw;
  }

  /** Selects the font of a sanitized text: Figtree, or Noto Sans for all of a text with a letter that Figtree lacks. */
  private fontOf(text: string, { size = 12, bold = false }: TextStyle): PDFKit.PDFDocument {
    return this.doc.font(`${bold ? "bold" : "plain"}${isBasicText(text) ? "" : " extended"}`).fontSize(size);
  }

  /** The width of a text in one line. */
  width(text: string, style: TextStyle = {}): number {
    const line = sanitizeText(text);
    return this.fontOf(line, style).widthOfString(line);
  }

  /** Breaks a text into lines that fit into `width`; the last of `style.lines` is cut if necessary. */
  wrap(text: string, width: number, style: TextStyle = {}): string[] {
    const fits = (line: string) => this.width(line, style) <= width;
    const lines: string[] = [];
    for (const paragraph of style.multiline ? text.split("\n") : [text]) {
      let line = "";
      for (const word of sanitizeText(paragraph).split(" ")) {
        const longer = line === "" ? word : `${line} ${word}`;
        if (fits(longer)) line = longer;
        else {
          if (line !== "") lines.push(line);
          line = word;
          while (!fits(line)) {
            const end = this.prefix(line, width, style);
            lines.push(line.slice(0, end));
            line = line.slice(end);
          }
        }
      }
      lines.push(line);
    }
    const maxLines = style.lines ?? Infinity;
    if (lines.length <= maxLines) return lines;
    const last = lines.slice(maxLines - 1).join(" ");
    return [...lines.slice(0, maxLines - 1), `${last.slice(0, this.prefix(last, width, style, "…")).trimEnd()}…`];
  }

  /** The number of characters that fit with `suffix` behind them, at least one. */
  private prefix(text: string, width: number, style: TextStyle, suffix = ""): number {
    let [fits, max] = [1, text.length];
    while (fits < max) {
      const middle = Math.ceil((fits + max) / 2);
      if (this.width(text.slice(0, middle) + suffix, style) <= width) fits = middle;
      else max = middle - 1;
    }
    return fits;
  }

  /** Draws a text into a box of `width` at x, y. Returns its height. */
  text(text: string, x: number, y: number, width: number, style: TextStyle = {}): number {
    const { size = 12, align = "left", color = "#000" } = style;
    const lines = this.wrap(text, width, style);
    const step = size * LINE_STEP;
    for (const [index, line] of lines.entries()) {
      const room = width - this.width(line, style);
      const shift = align === "left" ? 0 : align === "right" ? room : room / 2;
      const drop = isBasicText(line) ? 0 : NOTO_SANS_DROP * size;
      this.fontOf(line, style)
        .fillColor(color)
        .text(line, x + shift, y + index * step - drop, { lineBreak: false });
    }
    return lines.length * step;
  }

  /** The height of a text, without drawing it. */
  height(text: string, width: number, style: TextStyle = {}): number {
    return this.wrap(text, width, style).length * (style.size ?? 12) * LINE_STEP;
  }

  /** Draws a text at `y`, line by line: what this page has no room for is on the next one, below its repeated head. */
  flow(text: string, x: number, width: number, style: TextStyle = {}): void {
    const step = (style.size ?? 12) * LINE_STEP;
    for (const line of this.wrap(text, width, { ...style, multiline: true })) {
      this.need(step);
      this.text(line, x, this.y, width, style);
      this.y += step;
    }
  }

  /** Draws a text at `y` in a frame across the page, and in another one on each page that it needs. */
  framed(text: string, style: TextStyle = {}): void {
    const [padding, step] = [10, (style.size ?? 12) * LINE_STEP];
    const lines = this.wrap(text, INNER - 2 * padding, { ...style, multiline: true });
    this.need(Math.min(lines.length, 3) * step + 14);
    while (lines.length > 0) {
      const part = lines.splice(0, Math.max(1, Math.floor((this.room - 14) / step)));
      const height = part.length * step + 14;
      this.doc.lineWidth(1).strokeColor("#000").rect(PAGE.margin, this.y, INNER, height).stroke();
      for (const [index, line] of part.entries())
        this.text(line, PAGE.margin + padding, this.y + 6 + index * step, INNER - 2 * padding, style);
      this.y += height + 10;
      if (lines.length > 0) this.nextPage();
    }
  }

  /** The first style in which a text fits its maximum number of lines; the last one where it fits none. */
  fitted(text: string, width: number, styles: readonly { size: number; lines: number }[], bold: boolean) {
    const fits = ({ size, lines }: { size: number; lines: number }) =>
      this.wrap(text, width, { size, bold }).length <= lines;
    return { size: (styles.find(fits) ?? styles.at(-1))?.size ?? 12, bold };
  }

  /** An empty checkbox. */
  checkbox(x: number, y: number, size = 14): void {
    this.doc.lineWidth(1.4).strokeColor("#000").rect(x, y, size, size).stroke();
  }

  /** A horizontal line across the page, or of `width` from x. */
  rule(y: number, style: { x?: number; width?: number; weight?: number; color?: string } = {}): void {
    const { x = PAGE.margin, width = INNER, weight = 0.5, color = "#999" } = style;
    this.doc
      .lineWidth(weight)
      .strokeColor(color)
      .moveTo(x, y)
      .lineTo(x + width, y)
      .stroke();
  }

  /** A filled rectangle. */
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
    const line = `${this.title} · ${dayShort} · version ${version} · page ${page} of ${of} · ${hub}`;
    const style = this.fitted(line, INNER, BARE_SIZES, false);
    this.text(line, PAGE.margin, 34 - this.height(line, INNER, style), INNER, { ...style, align: "center" });
  }

  /** The texts of a section's head and their positions, in points from the top. */
  private headLayout(section: string) {
    const width = INNER - DATE - 12;
    const title = `${this.title} · ${this.stamp.hub}`;
    const name = this.fitted(section, width, NAME_SIZES, true);
    const nameTop = HEAD_TOP + this.height(title, width, { size: 13 });
    const bottom = Math.max(nameTop + this.height(section, width, name) + 4, HEAD_TOP + 52);
    return { title, width, name, nameTop, bottom };
  }

  private footHeight(): number {
    return this.height(`${this.stamp.hub} · ${this.stamp.day}`, INNER, FOOT) + FOOT.size * LINE_STEP + 5;
  }

  private headAndFoot(section: string, at: { page: number; of: number; sheet: number }): void {
    const { hub, day, dayShort, version, frozen } = this.stamp;
    const { title, width, name, nameTop, bottom } = this.headLayout(section);
    this.text(title, PAGE.margin, HEAD_TOP, width, { size: 13, color: "#444" });
    this.text(section, PAGE.margin, nameTop, width, name);
    const x = PAGE.width - PAGE.margin - DATE;
    this.text(dayShort, x, HEAD_TOP, DATE, { size: 22, bold: true, align: "right", lines: 1 });
    if (version > 0)
      this.text(`Version ${version}`, x, HEAD_TOP + 28, DATE, {
        size: 13,
        bold: version > 1,
        align: "right",
        lines: 1,
      });
    this.rule(bottom, { weight: 2, color: "#000" });
    const foot = FOOT_BOTTOM - this.footHeight();
    this.rule(foot, { weight: 0.75, color: "#000" });
    const page = `Page ${at.page} of ${at.of} · sheet ${at.sheet}`;
    const from = version > 0 ? `Version ${version}, ${frozen}` : frozen;
    this.text(from, PAGE.margin, foot + 5, INNER / 2, { ...FOOT, bold: true, lines: 1 });
    this.text(page, PAGE.width / 2, foot + 5, INNER / 2, { ...FOOT, bold: true, align: "right", lines: 1 });
    this.text(`${hub} · ${day}`, PAGE.margin, foot + 5 + FOOT.size * LINE_STEP, INNER, FOOT);
  }
}
