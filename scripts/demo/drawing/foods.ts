/** Drawings of foods and things that Noto lacks or draws as a living animal, on the same 128 × 128 grid as `drawings.ts`. */

/** A named fill: `[body, shade, light]`. */
export type Fill = readonly [string, string, string];

const LEAF = "#5C8A4A";
const LEAF_DARK = "#3E6532";

const repeat = (count: number, draw: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => draw(i)).join("");

/** A wedge of cheese with blue veins, cut from a round with a pale rind. */
const blueCheese = ([a, b, c]: Fill): string =>
  `<path d="M8 70L92 34q22 6 28 34v30q0 6-6 7L16 112q-8 0-8-7Z" fill="${a}"/><path d="M8 70L92 34q22 6 28 34Z" fill="${c}"/><path d="M92 34q22 6 28 34v30q0 6-6 7V70q-4-20-22-36Z" fill="${b}"/>` +
  `<g fill="none" stroke="#5B7FA6" stroke-linecap="round"><path d="M22 82q10 4 8 14M40 78q12 2 10 14 6 6 0 12M64 80q-4 10 6 14 8 0 8 8M88 76q-6 10 4 14M98 96q6-2 8-10M50 60q8-6 14-2 6-6 12-4M78 54q6-4 12 0" stroke-width="5"/><path d="M28 104q6-4 10 0M60 102q4-6 2-10M34 64q6 2 10-2M96 60q4 2 8 0" stroke-width="4"/></g>` +
  `<g fill="#3F5F86"><circle cx="34" cy="90" r="3.4"/><circle cx="58" cy="88" r="3"/><circle cx="82" cy="90" r="3.6"/><circle cx="100" cy="82" r="2.8"/><circle cx="70" cy="58" r="2.6"/></g>`;

/** A log of fresh cheese with a slice cut off. */
const cheeseLog = ([a, b, c]: Fill): string =>
  `<path d="M34 48h64q18 0 18 24t-18 24H34Z" fill="${a}"/><path d="M34 84h76q-4 12-12 12H34Z" fill="${b}" opacity=".8"/><path d="M46 55h48" stroke="${c}" stroke-width="5" stroke-linecap="round"/><ellipse cx="36" cy="72" rx="18" ry="24" fill="#FFFDF4"/><ellipse cx="36" cy="72" rx="18" ry="24" fill="none" stroke="${b}" stroke-width="3"/>` +
  `<ellipse cx="20" cy="100" rx="20" ry="10" fill="${b}"/><ellipse cx="20" cy="96" rx="20" ry="10" fill="#FFFDF4"/><path d="M29 66q6-5 11-1M30 82q5 4 10 1" stroke="${b}" stroke-width="2.5" fill="none" stroke-linecap="round"/>`;

/** A square slice of lasagna: sheets, sauce and melted cheese. */
const lasagna = ([a, b, c]: Fill): string =>
  `<ellipse cx="64" cy="104" rx="62" ry="16" fill="#D5DADA"/><ellipse cx="64" cy="100" rx="62" ry="16" fill="#FBFBF7"/><path d="M12 50L64 30l54 18v44L66 112 12 94Z" fill="#F2D58C"/><path d="M66 68v44l52-20V48Z" fill="#DDB766"/>` +
  [0, 15, 30]
    .map(
      (y) =>
        `<path d="M12 ${58 + y}q13 8 27 9t27 10v7q-14-8-27-10t-27-9Z" fill="${a}"/><path d="M66 ${77 + y}q26-6 52-20v7q-26 14-52 20Z" fill="${b}"/>`,
    )
    .join("") +
  `<path d="M10 50L64 28l56 20q2 8-4 12-6-2-8 4-8 10-14 2-8 2-10 10-8 8-14-2-10 2-12-4-8 8-12-2-10 2-12-6-12 0-14-6-12 0-10-6Z" fill="#F8DE86"/><path d="M40 46q8-6 16-2-6 8-16 2Zm34 6q10-8 20-2-8 8-20 2ZM58 62q6-4 12 0-6 5-12 0Z" fill="#D98A3A" opacity=".75"/><path d="M30 48l34-14 16 6" stroke="#FFF3C4" stroke-width="4" fill="none" stroke-linecap="round"/><path d="M56 40q8-12 20-8-4 12-20 8Z" fill="${LEAF}"/><circle cx="98" cy="50" r="4" fill="${c}"/><circle cx="26" cy="54" r="3.4" fill="${c}"/>`;

/** A dressed bird, legs up, as it comes out of its bag. */
const bird = ([a, b, c]: Fill): string =>
  `<path d="M12 82q-4-44 44-50 52-2 60 44 2 34-46 36-54 2-58-30Z" fill="${a}"/><path d="M14 90q8 14 52 12 40-2 49-18-4 26-45 28-48 2-56-22Z" fill="${b}" opacity=".75"/>` +
  `<path d="M84 66q18-10 26 4 4 12-8 20l14 16q4 6-1 9t-9-3l-14-16q-18 2-20-12-1-10 12-18Z" fill="${a}"/><path d="M88 66q-14 8-13 18 2 12 18 10l13 14q-10-4-17-11-18 1-20-13-1-10 19-18Z" fill="${b}" opacity=".8"/><path d="M98 70q8 0 8 8" stroke="${c}" stroke-width="4" fill="none" stroke-linecap="round"/><path d="M104 107l10-7q6 4 4 9 0 6-6 6-6 0-8-8Z" fill="#FFF8E8"/>` +
  `<path d="M32 66q-16 6-14 18 4 10 16 8 14-4 22-18" fill="${b}" opacity=".55"/><path d="M30 56q10-14 34-15" stroke="${c}" stroke-width="6" fill="none" stroke-linecap="round"/><g fill="${b}" opacity=".5"><circle cx="50" cy="58" r="1.8"/><circle cx="60" cy="66" r="1.8"/><circle cx="46" cy="72" r="1.8"/><circle cx="70" cy="54" r="1.8"/></g>`;

/** A boneless roast tied with string. */
const roast = ([a, b, c]: Fill): string =>
  `<path d="M10 76q0-32 34-36h50q26 4 26 34 0 34-30 36H38Q10 108 10 76Z" fill="${a}"/><path d="M12 86q10 14 52 14t55-14q-4 22-29 24H38q-22-2-26-24Z" fill="${b}"/><path d="M28 54q20-10 60-8M26 68q14-6 30-4M84 64q14-2 24 4" stroke="${c}" stroke-width="5" fill="none" stroke-linecap="round"/>` +
  repeat(4, (i) => `<path d="M${32 + i * 21} 41q-10 34 0 69" stroke="#FBF0D4" stroke-width="4" fill="none"/>`) +
  `<path d="M14 76q50 10 104-2" stroke="#FBF0D4" stroke-width="3" fill="none"/>`;

/** A rack of ribs. */
const ribs = ([a, b, c]: Fill): string =>
  `<path d="M10 54q52-24 108-4l-2 48q-52 20-104 4Z" fill="${a}"/><path d="M12 92q50 16 105-2l-1 8q-52 20-104 4Z" fill="${b}"/>` +
  repeat(
    6,
    (i) =>
      `<path d="M${22 + i * 17} ${44 - (i % 3)}q-4 30 0 64" stroke="${b}" stroke-width="11" stroke-linecap="round"/><path d="M${22 + i * 17} ${46 - (i % 3)}q-4 30 0 60" stroke="${c}" stroke-width="6" stroke-linecap="round"/><circle cx="${21 + i * 17}" cy="${40 - (i % 3)}" r="5.5" fill="#FFF8E8"/><circle cx="${22 + i * 17}" cy="110" r="5.5" fill="#FFF8E8"/>`,
  );

/** A flat round: a burger patty, a fish cake, an English muffin. */
const patty = ([a, b, c]: Fill): string =>
  `<path d="M8 70v16q4 24 56 24t56-24V70Z" fill="${b}"/><ellipse cx="64" cy="68" rx="56" ry="28" fill="${a}"/><path d="M22 62q12-16 42-17" stroke="${c}" stroke-width="5" fill="none" stroke-linecap="round"/><g fill="${b}" opacity=".6"><circle cx="48" cy="72" r="3"/><circle cx="70" cy="60" r="2.6"/><circle cx="84" cy="74" r="3"/><circle cx="62" cy="82" r="2.6"/><circle cx="36" cy="66" r="2.4"/><circle cx="98" cy="64" r="2.4"/></g>`;

/** A soft round bun. */
const bun = ([a, b, c]: Fill): string =>
  `<path d="M8 86q-2-50 56-50t56 50q0 22-56 22T8 86Z" fill="${a}"/><path d="M8 88q2 20 56 20t56-20q-8 10-56 10T8 88Z" fill="${b}"/><path d="M24 70q8-22 36-24" stroke="${c}" stroke-width="8" fill="none" stroke-linecap="round"/><path d="M66 52q16 0 26 10" stroke="${c}" stroke-width="4" fill="none" stroke-linecap="round" opacity=".7"/>`;

/** A square cut from a sheet: a brownie, a block of grilling cheese. */
const block = ([a, b, c]: Fill): string =>
  `<path d="M8 56L66 34l54 18v36L64 114 8 94Z" fill="${b}"/><path d="M8 56l56 20 56-24-54-18Z" fill="${a}"/><path d="M64 76l56-24v36L64 114Z" fill="${b}"/><path d="M64 76l56-24v36L64 114Z" fill="#000" opacity=".14"/><path d="M24 55l42-15 26 8" stroke="${c}" stroke-width="4" fill="none" stroke-linecap="round"/><path d="M44 58l10 3M70 50l9 3M72 62l10-4" stroke="${c}" stroke-width="3" stroke-linecap="round" opacity=".8"/>`;

/** A three-cornered scone. */
const scone = ([a, b, c]: Fill): string =>
  `<path d="M10 92q4-10 48-54 8-6 16 2 38 42 46 54v8q-4 10-56 10T10 102Z" fill="${b}"/><path d="M10 90q4-10 48-54 8-6 16 2 38 42 46 54-4 10-56 10T10 90Z" fill="${a}"/><path d="M34 78l26-28" stroke="${c}" stroke-width="6" stroke-linecap="round"/><g fill="#5F8F3F"><circle cx="66" cy="66" r="3"/><circle cx="82" cy="82" r="3"/><circle cx="52" cy="86" r="3"/><circle cx="72" cy="90" r="2.6"/></g>`;

/** Square crackers with their holes. */
const crackers = ([a, b]: Fill): string =>
  [
    [30, 30, -8],
    [72, 44, 10],
    [44, 76, 4],
  ]
    .map(
      ([x = 0, y = 0, turn = 0]) =>
        `<g transform="rotate(${turn} ${x + 20} ${y + 20})"><rect x="${x - 8}" y="${y - 4}" width="50" height="46" rx="4" fill="${b}"/><rect x="${x - 8}" y="${y - 8}" width="50" height="46" rx="4" fill="${a}"/>${repeat(9, (i) => `<circle cx="${x + 4 + (i % 3) * 13}" cy="${y + 3 + Math.floor(i / 3) * 12}" r="2.4" fill="${b}"/>`)}</g>`,
    )
    .join("");

/** Shelled nuts; also gnocchi. */
const nuts = ([a, b, c]: Fill): string =>
  [
    [34, 46, -30],
    [90, 44, 25],
    [62, 66, 0],
    [28, 90, 20],
    [94, 92, -20],
    [62, 102, 80],
  ]
    .map(
      ([x = 0, y = 0, turn = 0]) =>
        `<g transform="translate(${x} ${y}) rotate(${turn})"><ellipse rx="16" ry="25" fill="${b}"/><ellipse cx="-1.5" cy="-1.5" rx="14" ry="22" fill="${a}"/><path d="M-5-16q-4 16 0 32M3-19q4 19 0 37" stroke="${b}" stroke-width="2.6" fill="none"/><path d="M-9-9q-2 8 0 14" stroke="${c}" stroke-width="3" fill="none" stroke-linecap="round"/></g>`,
    )
    .join("");

/** Square filled pasta. */
const ravioli = ([a, b, c]: Fill): string =>
  [
    [20, 34, -10],
    [70, 30, 12],
    [44, 74, 0],
  ]
    .map(
      ([x = 0, y = 0, turn = 0]) =>
        `<g transform="rotate(${turn} ${x + 22} ${y + 20})"><rect x="${x - 4}" y="${y}" width="50" height="46" rx="3" fill="${b}"/><rect x="${x - 4}" y="${y - 4}" width="50" height="46" rx="3" fill="${a}"/><rect x="${x - 4}" y="${y - 4}" width="50" height="46" rx="3" fill="none" stroke="${b}" stroke-width="3.5" stroke-dasharray="5 4"/><ellipse cx="${x + 21}" cy="${y + 19}" rx="15" ry="13" fill="${c}"/><path d="M${x + 10} ${y + 26}q10 10 22 0" stroke="${b}" stroke-width="3" fill="none" stroke-linecap="round"/></g>`,
    )
    .join("");

/** A nest of long pasta. */
const pastaNest = ([a, b, c]: Fill): string =>
  `<path d="M6 78q0-38 58-38t58 38q0 32-58 32T6 78Z" fill="${b}"/><g fill="none" stroke-linecap="round"><g stroke="${a}" stroke-width="7"><path d="M12 76q4-32 52-32t52 32q-2 28-52 28T12 80"/><path d="M26 78q0-22 40-22t38 22-40 16q-34 0-38-16"/><path d="M42 78q2-12 24-10t20 10-24 6"/><path d="M16 92q-8 8-4 16M110 90q10 6 8 16M60 104q0 8 10 10"/></g><g stroke="${c}" stroke-width="3.4"><path d="M18 68q10-20 46-20 36 2 46 20"/><path d="M32 76q4-14 34-14 28 0 32 14"/><path d="M20 88q14 12 44 12t42-10M48 76q4-6 16-4"/></g></g>`;

/** Long slim bean pods. */
const greenBeans = ([a, b, c]: Fill): string =>
  [-26, -13, 0, 13, 26]
    .map(
      (x, i) =>
        `<g transform="translate(${64 + x} 64) rotate(${x * 0.9 + (i % 2 ? 7 : -5)})"><path d="M-6-48q-8 46 4 94 2 8 5 0 10-50 3-94Z" fill="${b}"/><path d="M-6-48q-8 46 2 90 8-44 6-90Z" fill="${a}"/><path d="M-2-40q-4 34 0 66" stroke="${c}" stroke-width="2.6" fill="none" stroke-linecap="round"/><path d="M-6-48h12l-4-6q0-8-5-8t-1 8Z" fill="${LEAF}"/></g>`,
    )
    .join("");

/** Bean pods with purple streaks. */
const streakedBeans = (fill: Fill): string =>
  greenBeans(fill) +
  `<g stroke="#7B2E57" stroke-width="3.4" stroke-linecap="round"><path d="M34 44l3 10M30 64l3 8M46 56l1 12M50 84l1 8M63 40l1 11M62 68l1 12M80 52l-2 11M76 78l-2 9M96 46l-3 10M94 66l-3 10"/></g>`;

/** Tender leaves on their stems: spinach, arugula, sage. */
const leaves = ([a, b, c]: Fill): string =>
  [
    [-34, -34],
    [34, 34],
    [-17, -13],
    [17, 13],
    [0, 0],
  ]
    .map(
      ([x = 0, turn = 0]) =>
        `<g transform="translate(${64 + x * 0.5} 84) rotate(${turn})"><path d="M0 30q-2-30 0-44" stroke="${c}" stroke-width="6" fill="none" stroke-linecap="round"/><path d="M0-74q26 14 22 44-4 18-22 20-18-2-22-20-4-30 22-44Z" fill="${b}"/><path d="M-2-70q22 14 18 40-4 14-18 17-14-3-17-17-3-28 17-40Z" fill="${a}"/><path d="M0-62v52M0-46l12-8M0-30l13-8M0-40l-12-8M0-24l-12-8" stroke="${c}" stroke-width="2.6" fill="none" stroke-linecap="round"/></g>`,
    )
    .join("");

/** A tied bunch of thin green stems. */
const chives = ([a, b, c]: Fill): string =>
  repeat(
    15,
    (i) =>
      `<path d="M${58 + (i % 5) * 3} 116Q${54 + i * 1.4} 70 ${14 + i * 7.2} ${12 + ((i * 7) % 5) * 5}" stroke="${[a, b, c][i % 3]}" stroke-width="5" fill="none" stroke-linecap="round"/>`,
  ) + `<path d="M50 84q14 6 30 0v9q-15 6-29 0Z" fill="#C79C66"/>`;

/** A round root with a colored shoulder and its tops: turnip, radish, kohlrabi. */
const bulb = ([a, b, c]: Fill): string =>
  `<path d="M60 46Q40 30 36 8q22 4 28 28Q68 12 92 6q-2 26-24 40Z" fill="${LEAF}"/><path d="M62 46Q60 20 64 2q10 18 4 44Z" fill="#7FA65E"/><path d="M44 18q12 12 18 26M86 16q-14 12-20 28" stroke="${LEAF_DARK}" stroke-width="2.6" fill="none"/>` +
  `<path d="M64 42q44-2 46 32 0 24-34 34-6 2-12 14-6-12-12-14-34-10-34-34 2-34 46-32Z" fill="${c}"/><path d="M64 42q44-2 46 30-10 10-46 10T18 72q2-32 46-30Z" fill="${a}"/><path d="M100 56q10 8 10 18 0 24-34 34-6 2-12 14 2-18 18-26 18-12 18-40Z" fill="${b}" opacity=".35"/><path d="M30 62q6-10 18-12" stroke="#fff" stroke-width="5" fill="none" stroke-linecap="round" opacity=".6"/>`;

/** A long winter squash; its stripes are in the shade. */
const ovalSquash = ([a, b, c]: Fill): string =>
  `<g transform="rotate(-18 64 64)"><path d="M4 68q0-34 60-34t60 34-60 34T4 68Z" fill="${a}"/><path d="M8 78q8 24 56 24t57-26q-12 12-57 12T8 78Z" fill="${b}" opacity=".6"/><path d="M12 60q50-16 106 2M8 72q54-10 114 2M20 90q44 10 88-2M28 44q34-8 72 2" stroke="${b}" stroke-width="4" fill="none" stroke-linecap="round"/><path d="M26 52q24-10 50-9" stroke="${c}" stroke-width="5" fill="none" stroke-linecap="round"/><path d="M2 60l-6 2v10l7 2q5-7-1-14Z" fill="#7C6A3A"/></g>`;

/** A whole pizza with slices of mozzarella and basil. */
const margherita = (): string =>
  `<ellipse cx="64" cy="72" rx="60" ry="46" fill="#B77B38"/><ellipse cx="64" cy="66" rx="60" ry="46" fill="#E3B068"/><ellipse cx="64" cy="66" rx="49" ry="36" fill="#CC3A22"/><ellipse cx="64" cy="67" rx="46" ry="33" fill="#DE5A3A"/><g fill="#FFF6DF"><ellipse cx="42" cy="54" rx="12" ry="8"/><ellipse cx="80" cy="48" rx="13" ry="8"/><ellipse cx="92" cy="72" rx="10" ry="7"/><ellipse cx="58" cy="78" rx="13" ry="8"/><ellipse cx="34" cy="76" rx="8" ry="6"/><ellipse cx="80" cy="90" rx="10" ry="6"/></g><path d="M58 58q4-12 18-8-2 12-18 8ZM72 78q10-8 16 2-10 8-16-2ZM38 66q8-6 14 2-10 6-14-2Z" fill="${LEAF}"/>`;

/** An empty cutting board with its grip. */
const board = ([a, b, c]: Fill): string =>
  `<g transform="rotate(-14 64 64)"><path d="M30 22h68q10 0 10 10v56q0 10-10 10H76v18q0 8-12 8t-12-8V98H30q-10 0-10-10V32q0-10 10-10Z" fill="${b}"/><path d="M30 16h68q10 0 10 10v56q0 10-10 10H76v18q0 8-12 8t-12-8V92H30q-10 0-10-10V26q0-10 10-10Z" fill="${a}"/><path d="M32 28q30 6 64 0M30 46q34-6 68 2M30 64q30 6 68-2M36 80q24-4 54 0" stroke="${b}" stroke-width="3" fill="none" stroke-linecap="round"/><path d="M34 22h44" stroke="${c}" stroke-width="4" stroke-linecap="round"/><circle cx="64" cy="108" r="4.5" fill="${b}"/></g>`;

/** A wooden spoon. */
const spoon = ([a, b, c]: Fill): string =>
  `<g transform="rotate(38 64 64)"><path d="M58 52h12l4 66q0 8-10 8t-10-8Z" fill="${a}"/><path d="M66 52h4l4 66q0 8-8 8Z" fill="${b}" opacity=".7"/><path d="M64-2q24 2 24 34-2 24-24 26-22-2-24-26 0-32 24-34Z" fill="${a}"/><path d="M64 8q15 2 15 24-2 16-15 17-13-1-15-17 0-22 15-24Z" fill="${b}"/><path d="M52 24q2-12 10-14" stroke="${c}" stroke-width="4" fill="none" stroke-linecap="round"/></g>`;

/** A stuffed toy mouse of felt. */
const toyMouse = ([a, b, c]: Fill): string =>
  `<path d="M108 88q18-4 12-20-6-12-16-4" stroke="${b}" stroke-width="5" fill="none" stroke-linecap="round"/><path d="M8 94q14-44 60-44 40 2 44 44 0 8-10 8H16q-8 0-8-8Z" fill="${a}"/><path d="M8 94q48 8 104 0 0 8-10 8H16q-8 0-8-8Z" fill="${b}"/><circle cx="48" cy="52" r="15" fill="${b}"/><circle cx="48" cy="52" r="9" fill="#F3BDC3"/><path d="M26 82l5 5m0-5l-5 5" stroke="#2B2A24" stroke-width="3" stroke-linecap="round"/><circle cx="8" cy="93" r="4" fill="#B4606B"/><path d="M66 58q24 10 26 42" stroke="${c}" stroke-width="3" stroke-dasharray="6 5" fill="none"/>`;

/** A frame of honeycomb. */
const honeycomb = ([a, b, c]: Fill): string =>
  `<path d="M10 32q0-10 8-10h92q8 0 8 8v70q0 8-8 8H18q-8 0-8-8Z" fill="${b}"/>` +
  repeat(4, (row) =>
    repeat(5, (i) => {
      const x = 24 + i * 20 + (row % 2) * 10;
      const y = 40 + row * 19;
      return x > 112
        ? ""
        : `<path d="M${x} ${y - 11}l10 6v11l-10 6-10-6v-11Z" fill="${(i + row) % 3 ? a : c}" stroke="${b}" stroke-width="3"/>`;
    }),
  ) +
  `<path d="M88 102q2 10-2 18-6 6-9 0 1-8 0-18Z" fill="${a}"/>`;

/** Speckled eggs of quails. */
const quailEggs = ([a, b, c]: Fill): string =>
  [
    [38, 58, -14],
    [90, 56, 12],
    [64, 88, 0],
  ]
    .map(
      ([x = 0, y = 0, turn = 0]) =>
        `<g transform="translate(${x} ${y}) rotate(${turn})"><path d="M0-32q22 8 22 36-2 22-22 22T-22 4q0-28 22-36Z" fill="${a}"/><path d="M10-24q12 10 12 28-2 22-22 22 18-10 10-50Z" fill="${b}" opacity=".45"/><g fill="#4A3524"><circle cx="-8" cy="-10" r="3.4"/><circle cx="6" cy="-2" r="4.4"/><circle cx="-12" cy="6" r="2.6"/><circle cx="-2" cy="14" r="4"/><circle cx="12" cy="12" r="2.6"/><circle cx="2" cy="-18" r="2"/></g><path d="M-13-4q2-12 8-17" stroke="${c}" stroke-width="3.4" fill="none" stroke-linecap="round"/></g>`,
    )
    .join("");

/** The drawings by name. */
export const FOODS: Record<string, (fill: Fill) => string> = {
  "blue-cheese": blueCheese,
  "cheese-log": cheeseLog,
  lasagna,
  bird,
  roast,
  ribs,
  patty,
  bun,
  block,
  scone,
  crackers,
  nuts,
  ravioli,
  "pasta-nest": pastaNest,
  "green-beans": greenBeans,
  "streaked-beans": streakedBeans,
  leaves,
  chives,
  bulb,
  "oval-squash": ovalSquash,
  margherita,
  board,
  spoon,
  "toy-mouse": toyMouse,
  honeycomb,
  "quail-eggs": quailEggs,
};
