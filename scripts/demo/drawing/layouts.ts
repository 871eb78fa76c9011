import type { Recipe } from "./recipe.ts";

type Layout = Extract<Recipe, { kind: "still" }>["layout"];
/** Center and size of a motif in units of a 1200 × 1200 canvas, and its rotation in degrees. */
export type Placement = readonly [x: number, y: number, size: number, rotation: number];

/** The placements of each layout, back to front. */
export const placements: Record<Layout, readonly Placement[]> = {
  one: [[600, 640, 760, 0]],
  pair: [
    [430, 600, 560, -8],
    [790, 720, 520, 10],
  ],
  trio: [
    [600, 480, 520, 0],
    [370, 780, 470, -12],
    [830, 780, 470, 12],
  ],
  heap: [
    [420, 470, 360, -14],
    [780, 470, 360, 12],
    [600, 420, 380, 2],
    [330, 760, 400, -8],
    [870, 760, 400, 9],
    [600, 790, 430, 0],
  ],
  row: [
    [290, 660, 480, -6],
    [910, 660, 480, 6],
    [600, 700, 540, 0],
  ],
  ring: [
    [600, 330, 330, 0],
    [868, 485, 330, 30],
    [868, 795, 330, -30],
    [600, 950, 330, 180],
    [332, 795, 330, 30],
    [332, 485, 330, -30],
  ],
  crate: [
    [350, 520, 360, -12],
    [850, 520, 360, 12],
    [600, 440, 400, 3],
    [300, 660, 380, -8],
    [900, 660, 380, 8],
    [600, 680, 420, -2],
  ],
  plate: [
    [600, 500, 430, 0],
    [430, 700, 420, -10],
    [770, 700, 420, 10],
  ],
  scatter: [
    [330, 330, 330, -18],
    [840, 300, 320, 16],
    [590, 590, 360, 4],
    [300, 850, 330, 12],
    [880, 820, 350, -14],
  ],
  stack: [
    [600, 850, 500, 0],
    [600, 600, 460, -5],
    [600, 370, 410, 4],
  ],
};

/** What is drawn under and over the motifs of a layout. */
export const decorations: Partial<Record<Layout, { under?: string; over?: string }>> = {
  crate: {
    under: `<path d="M150 640H1050L1010 1080H190Z" fill="#8E6536"/><path d="M150 640H1050V700H150Z" fill="#6F4C25"/>`,
    over:
      [780, 900, 1020]
        .map(
          (y, i) =>
            `<path d="M${140 + i * 12} ${y}H${1060 - i * 12}L${1054 - i * 12} ${y + 92}H${146 + i * 12}Z" fill="${i % 2 ? "#C59A62" : "#CFA66E"}"/><path d="M${146 + i * 12} ${y + 84}H${1054 - i * 12}l-.6 8H${146.6 + i * 12}Z" fill="#8E6536" opacity=".8"/><path d="M${200 + i * 60} ${y + 34}q180 ${i % 2 ? 18 : -16} 420 4" stroke="#A97C45" stroke-width="5" fill="none" opacity=".7"/>`,
        )
        .join("") +
      `<path d="M176 760h74l14 366h-66ZM1024 760h-74l-14 366h66Z" fill="#B58850"/><g fill="#5E4120"><circle cx="214" cy="826" r="8"/><circle cx="986" cy="826" r="8"/><circle cx="222" cy="946" r="8"/><circle cx="978" cy="946" r="8"/><circle cx="230" cy="1066" r="8"/><circle cx="970" cy="1066" r="8"/></g>`,
  },
  plate: {
    under: `<ellipse cx="600" cy="800" rx="500" ry="260" fill="#3a2a10" opacity=".16"/><ellipse cx="600" cy="770" rx="490" ry="250" fill="#FFFDF8"/><ellipse cx="600" cy="770" rx="490" ry="250" fill="none" stroke="#6FA7C7" stroke-width="10" opacity=".65"/><ellipse cx="600" cy="770" rx="370" ry="180" fill="#F1EBDD"/>`,
  },
};

/** Placements of `count` motifs on a canvas of 1600 × `height`, in a row at the height `floor`, the tallest in the middle. */
export function placeOnShelf(count: number, height: number, floor: number): Placement[] {
  const size = height * 0.62;
  const step = Math.min(1400 / count, size * 0.98);
  const sorted: Placement[] = [];
  for (let i = 0; i < count; i++) {
    const fromMiddle = i - (count - 1) / 2;
    const own = size * (1 - Math.abs(fromMiddle) * 0.09);
    sorted.push([800 + fromMiddle * step, floor - own * 0.42, own, fromMiddle * 3]);
  }
  // The outer ones first, so that the middle is in front.
  return sorted.sort((a, b) => Math.abs(b[0] - 800) - Math.abs(a[0] - 800));
}
