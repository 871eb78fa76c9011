/**
 * The two ground colours of a picture, read from its ThumbHash (base64): upper left and lower right. Painted behind
 * the picture until it arrives. Null when the hash is not one.
 */
export function groundColours(base64: string): [string, string] | null {
  const bytes = decode(base64);
  if (!bytes || bytes.length < 6) return null;
  const planes = readPlanes(bytes);
  return [colourAt(planes, 0.25, 0.25), colourAt(planes, 0.75, 0.75)];
}

/** One channel as a cosine series: its mean and the terms (column, row, weight). */
interface Plane {
  mean: number;
  terms: [number, number, number][];
}
interface Planes {
  light: Plane;
  yellowBlue: Plane;
  redGreen: Plane;
}

function decode(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
  } catch {
    return null;
  }
}

/** The layout is fixed by the format: a 24-bit and a 16-bit header, then one nibble per cosine term. */
function readPlanes(bytes: Uint8Array): Planes {
  const at = (index: number) => bytes[index] ?? 0;
  const head = at(0) | (at(1) << 8) | (at(2) << 16);
  const tail = at(3) | (at(4) << 8);
  const alpha = head >>> 23 === 1;
  const landscape = tail >>> 15 === 1;
  const long = alpha ? 5 : 7;
  const short = Math.max(3, tail & 7);
  let nibble = (alpha ? 6 : 5) * 2;
  const next = (scale: number) => {
    const byte = at(nibble >> 1);
    const value = nibble % 2 === 0 ? byte & 15 : byte >> 4;
    nibble += 1;
    return (value / 7.5 - 1) * scale;
  };
  const plane = (mean: number, scale: number, columns: number, rows: number): Plane => {
    const terms: Plane["terms"] = [];
    for (let row = 0; row < rows; row++)
      for (let column = row === 0 ? 1 : 0; column * rows < columns * (rows - row); column++)
        terms.push([column, row, next(scale)]);
    return { mean, terms };
  };
  return {
    light: plane((head & 63) / 63, ((head >> 18) & 31) / 31, landscape ? long : short, landscape ? short : long),
    yellowBlue: plane(((head >> 6) & 63) / 31.5 - 1, (((tail >> 3) & 63) / 63) * 1.25, 3, 3),
    redGreen: plane(((head >> 12) & 63) / 31.5 - 1, (((tail >> 9) & 63) / 63) * 1.25, 3, 3),
  };
}

function colourAt({ light, yellowBlue, redGreen }: Planes, x: number, y: number): string {
  const value = ({ mean, terms }: Plane) => {
    let sum = mean;
    for (const [column, row, weight] of terms)
      sum += weight * Math.cos(Math.PI * column * x) * Math.cos(Math.PI * row * y) * 2;
    return sum;
  };
  const [l, p, q] = [value(light), value(yellowBlue), value(redGreen)];
  const blue = l - (2 / 3) * p;
  const red = (3 * l - blue + q) / 2;
  const channel = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * 255);
  return `rgb(${channel(red)} ${channel(red - q)} ${channel(blue)})`;
}
