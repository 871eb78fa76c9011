/** A word on a map: where its middle is (px) and how much it matters, the smallest number first. */
export interface MapName {
  text: string;
  x: number;
  y: number;
  rank: number;
}

/** What covers a part of the map already, px. */
export interface Taken {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const CHARACTER = 7.4;
const HEIGHT = 20;
const GAP = 6;

const boxOf = ({ text, x, y }: MapName): Taken => {
  const half = (text.length * CHARACTER) / 2 + GAP;
  return { left: x - half, right: x + half, top: y - HEIGHT / 2, bottom: y + HEIGHT / 2 };
};

/**
 * Which names fit without lying on each other, under what is `taken`, or over the edge: the more important one stays.
 * Same order as given.
 */
export function declutter(
  names: readonly MapName[],
  width: number,
  height: number,
  taken: readonly Taken[] = [],
): boolean[] {
  const full: Taken[] = [...taken];
  const shown = names.map(() => false);
  const order = names.map((_, place) => place).toSorted((a, b) => (names[a]?.rank ?? 0) - (names[b]?.rank ?? 0));
  for (const place of order) {
    const name = names[place];
    if (!name) continue;
    const box = boxOf(name);
    if (box.left < 0 || box.right > width || box.top < 0 || box.bottom > height) continue;
    if (
      full.some(
        (other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom,
      )
    )
      continue;
    full.push(box);
    shown[place] = true;
  }
  return shown;
}
