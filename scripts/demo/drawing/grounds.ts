import type { Recipe } from "./recipe.ts";

type Ground = Extract<Recipe, { kind: "still" }>["ground"];
/** The size of a picture in drawing units. */
export interface Canvas {
  width: number;
  height: number;
}
/** A repeatable source of numbers in [0, 1). */
export type Random = () => number;

/** The 8 papers: background and pattern. */
const papers: readonly (readonly [string, string])[] = [
  ["#F6E7C8", "#EFD6A2"],
  ["#E4EBD6", "#CBDBB4"],
  ["#F7DDD0", "#EFC2AE"],
  ["#DCE8EA", "#BCD3D8"],
  ["#EFE0EC", "#DCC2D8"],
  ["#FBE7B4", "#F3CF7A"],
  ["#E9E2D3", "#D6C8AC"],
  ["#DDE3F0", "#C1CCE4"],
];

/** The 8 vendor colors, each with a lighter one for awning stripes and a darker one for the counter. */
export const vendorColors: readonly (readonly [string, string, string])[] = [
  ["#1F5B3A", "#3C7B58", "#143F28"],
  ["#8A4B14", "#AA6B33", "#62340C"],
  ["#274E8C", "#4A6FA9", "#193765"],
  ["#7B1E4B", "#9C446D", "#561233"],
  ["#A5381F", "#C15C45", "#782512"],
  ["#5B5A1F", "#7C7B40", "#3F3E12"],
  ["#3C5A63", "#5F7D86", "#284047"],
  ["#6A3D7C", "#8B5F9C", "#4A2858"],
];

const rect = ({ width, height }: Canvas, fill: string): string =>
  `<rect width="${width}" height="${height}" fill="${fill}"/>`;

const draw: Record<Ground, (canvas: Canvas, a: string, b: string, random: Random) => string> = {
  linen: (canvas, a, b) => {
    const floor = canvas.height * 0.62;
    let threads = "";
    for (let y = floor + 26; y < canvas.height; y += 34) {
      threads += `<path d="M0 ${y}H${canvas.width}" stroke="${a}" stroke-width="3" opacity=".35"/>`;
    }
    return `${rect(canvas, a)}<path d="M0 ${floor}H${canvas.width}V${canvas.height}H0Z" fill="${b}"/>${threads}`;
  },
  gingham: (canvas, a, b) => {
    let cloth = rect(canvas, a);
    for (let x = 0; x < canvas.width; x += 120) {
      cloth += `<rect x="${x}" width="60" height="${canvas.height}" fill="${b}" opacity=".45"/>`;
    }
    for (let y = 0; y < canvas.height; y += 120) {
      cloth += `<rect y="${y}" width="${canvas.width}" height="60" fill="${b}" opacity=".45"/>`;
    }
    return cloth;
  },
  crate: (canvas, a, b, random) => {
    let wood = rect(canvas, a);
    for (let y = 0; y < canvas.height; y += 240) {
      wood += `<rect y="${y + 6}" width="${canvas.width}" height="228" fill="${b}"/>`;
      for (let grain = 0; grain < 2; grain++) {
        const at = y + 40 + grain * 90 + random() * 60;
        const bend = random() * 30 - 15;
        wood += `<path d="M0 ${at}q${canvas.width / 4} ${bend} ${canvas.width / 2} 0t${canvas.width / 2} ${-bend}" stroke="${a}" stroke-width="5" fill="none" opacity=".55"/>`;
      }
      wood += `<circle cx="36" cy="${y + 60}" r="7" fill="#3a2a10" opacity=".22"/><circle cx="36" cy="${y + 180}" r="7" fill="#3a2a10" opacity=".22"/><circle cx="${canvas.width - 36}" cy="${y + 60}" r="7" fill="#3a2a10" opacity=".22"/><circle cx="${canvas.width - 36}" cy="${y + 180}" r="7" fill="#3a2a10" opacity=".22"/>`;
    }
    return wood;
  },
  sun: (canvas, a, b) => {
    const x = canvas.width / 2;
    const y = canvas.height * 0.58;
    const reach = canvas.width + canvas.height;
    let rays = "";
    for (let i = 0; i < 24; i += 2) {
      const from = (i * Math.PI) / 12;
      const to = ((i + 1) * Math.PI) / 12;
      rays += `<path d="M${x} ${y}L${x + reach * Math.cos(from)} ${y + reach * Math.sin(from)}L${x + reach * Math.cos(to)} ${y + reach * Math.sin(to)}Z" fill="${b}"/>`;
    }
    return rect(canvas, a) + rays;
  },
  arch: (canvas, a, b) => {
    const half = Math.min(canvas.width * 0.375, canvas.height * 0.62);
    const x = canvas.width / 2;
    const top = canvas.height * 0.5;
    return `${rect(canvas, a)}<path d="M${x - half} ${canvas.height}V${top}a${half} ${Math.min(half, top * 0.85)} 0 0 1 ${half * 2} 0V${canvas.height}Z" fill="${b}"/><path d="M${x - half - 26} ${canvas.height}V${top}a${half + 26} ${Math.min(half, top * 0.85) + 26} 0 0 1 ${half * 2 + 52} 0V${canvas.height}" fill="none" stroke="${b}" stroke-width="8" opacity=".7"/>`;
  },
};

/** The background of a still life as SVG. */
export function ground(name: Ground, palette: number, canvas: Canvas, random: Random): string {
  const [a, b] = papers[palette] ?? ["#F6E7C8", "#EFD6A2"];
  return draw[name](canvas, a, b, random);
}

/** The background of a vendor's hero as SVG: striped awning above, paper, counter below. */
export function vendorGround(color: number, canvas: Canvas): string {
  const [base, light, dark] = vendorColors[color] ?? ["#1F5B3A", "#3C7B58", "#143F28"];
  const { width, height } = canvas;
  const stripe = width / 15;
  const counter = height * 0.74;
  let awning = "";
  for (let i = 0; i < 15; i++) {
    const x = i * stripe;
    const fill = i % 2 ? "#FFFDF8" : light;
    awning += `<path d="M${x} 0h${stripe}v${height * 0.13}a${stripe / 2} ${stripe / 2} 0 0 1 ${-stripe} 0Z" fill="${fill}"/>`;
  }
  const paper = `<rect width="${width}" height="${height}" fill="${base}"/><rect y="${height * 0.1}" width="${width}" height="${height}" fill="#FFFDF8" opacity=".13"/>`;
  const hills = `<path d="M0 ${counter}V${height * 0.52}q${width * 0.2} ${-height * 0.16} ${width * 0.42} 0t${width * 0.58} ${-height * 0.03}V${counter}Z" fill="#FFFDF8" opacity=".1"/><circle cx="${width * 0.82}" cy="${height * 0.36}" r="${height * 0.12}" fill="#FFFDF8" opacity=".16"/>`;
  const board = `<rect y="${counter}" width="${width}" height="${height - counter}" fill="${dark}"/><rect y="${counter}" width="${width}" height="${height * 0.035}" fill="#FFFDF8" opacity=".28"/><path d="M0 ${height * 0.9}H${width}" stroke="#FFFDF8" stroke-width="3" opacity=".12"/>`;
  const shade = `<rect y="${height * 0.13}" width="${width}" height="${height * 0.1}" fill="#000" opacity=".10"/>`;
  return paper + hills + board + shade + awning;
}
