import { type Fill, FOODS } from "./foods.ts";

/**
 * Drawings of products without a Noto drawing, on the same 128 × 128 grid: jars, bottles, loaves, packs. Many take a color
 * (`jar/strawberry`), so that a shelf of preserves does not look like one jar repeated.
 */

/** Named fills: `[body, shade, light]`. */
const COLORS: Record<string, readonly [string, string, string]> = {
  strawberry: ["#C4283A", "#8F1626", "#E8606C"],
  raspberry: ["#B3195A", "#7D0F40", "#DB5C90"],
  blackberry: ["#4A2452", "#301437", "#79507F"],
  blueberry: ["#3E4C9A", "#283470", "#7482C6"],
  peach: ["#F0963F", "#C46B1B", "#FBC488"],
  apricot: ["#E9A23B", "#B9751A", "#F8CF87"],
  apple: ["#C98A45", "#96602A", "#E5B983"],
  honey: ["#E5A11C", "#AE7108", "#FAD26E"],
  amber: ["#8A4413", "#5C2A08", "#BF7A3C"],
  maple: ["#B25E17", "#7C3D0B", "#DD9A57"],
  tomato: ["#CC3A22", "#942311", "#EC7A62"],
  pepper: ["#D9541E", "#A33A10", "#F18E62"],
  green: ["#7C9A3B", "#566E22", "#A9C470"],
  kale: ["#2F6B42", "#1D4A2C", "#649A74"],
  pickle: ["#8FA24A", "#65742E", "#B9C97F"],
  beet: ["#8C1F4F", "#5F1235", "#BA5B85"],
  kraut: ["#E3DCB0", "#BDB380", "#F5F1D6"],
  cream: ["#F7EED9", "#D8C8A4", "#FFFDF4"],
  white: ["#F4F4F0", "#D2D4D0", "#FFFFFF"],
  butter: ["#F6D66B", "#D2A93A", "#FCEBAB"],
  mustard: ["#D9A520", "#A87A0C", "#F0CB67"],
  coffee: ["#5A3A26", "#3A2416", "#8A674F"],
  cocoa: ["#6B3F2A", "#47271A", "#976C56"],
  kraft: ["#C79C66", "#9C7443", "#E2C196"],
  sky: ["#6FA7C7", "#47809F", "#A6CDE2"],
  indigo: ["#3A5A94", "#264070", "#7390C2"],
  rose: ["#DE8C96", "#B4606B", "#F3BDC3"],
  lavender: ["#9A83BE", "#715A96", "#C4B4DD"],
  beef: ["#A8323A", "#771D25", "#CF6C70"],
  pork: ["#E39A92", "#B96C66", "#F4C6C0"],
  poultry: ["#F0C6A0", "#CB9A70", "#FAE2CC"],
  salmon: ["#F28A5E", "#C8623A", "#FAB99A"],
  trout: ["#E9A27E", "#BE7650", "#F6CBB3"],
  pumpkin: ["#E67A1E", "#B55610", "#F6A45C"],
  squash: ["#DDB26A", "#B0843C", "#F1D5A3"],
  sage: ["#9DB08A", "#748761", "#C3D0B5"],
  slate: ["#5F6D73", "#414C51", "#93A0A5"],
};

const ink = "#2B2A24";
const shine = (d: string, o = 0.45): string => `<path d="${d}" fill="#fff" opacity="${o}"/>`;

const jar = ([a, b, c]: Fill): string =>
  `<path d="M30 40q-6 5-6 14v52q0 14 14 14h52q14 0 14-14V54q0-9-6-14Z" fill="#DCE9E8"/>` +
  `<path d="M30 52q-2 3-2 8v44q0 12 12 12h48q12 0 12-12V60q0-5-2-8Z" fill="${a}"/>` +
  `<path d="M86 52h12q2 3 2 8v44q0 12-12 12H76q12-2 12-14V64q0-8-2-12Z" fill="${b}" opacity=".55"/>` +
  `<path d="M30 52h68v5q-34 6-68 0Z" fill="${c}"/>` +
  `<rect x="36" y="68" width="56" height="32" rx="3" fill="#FBF5E4"/><path d="M44 78h40M44 85h40M52 92h24" stroke="${b}" stroke-width="3" stroke-linecap="round" opacity=".75"/>` +
  `<rect x="28" y="22" width="72" height="20" rx="5" fill="#B9B4A4"/><path d="M28 34h72v3q0 5-5 5H33q-5 0-5-5Z" fill="#8E8978"/><path d="M33 26h62" stroke="#E5E1D3" stroke-width="4" stroke-linecap="round"/>` +
  shine("M29 58q0-3 3-3t3 3v44q0 3-3 3t-3-3Z");

const clothJar = ([a, b, c]: Fill): string =>
  jar([a, b, c]) +
  `<path d="M26 24Q64 8 102 24l6 18q-8-5-12 1-5-6-11 1-5-6-11 0-5-5-10 0-5-5-10 0-6-6-11 0-6-7-11-1-4-6-12-1Z" fill="${c}"/><path d="M36 21l-6 20M52 17l-3 26M64 16v27M76 17l3 26M92 21l6 20" stroke="${a}" stroke-width="3" opacity=".6"/><path d="M24 30q40-12 80 0" stroke="${b}" stroke-width="3" fill="none"/>`;

const bottle = ([a, b, c]: Fill): string =>
  `<path d="M54 14h20v26q0 6 8 12 8 7 8 18v40q0 12-12 12H50q-12 0-12-12V70q0-11 8-18 8-6 8-12Z" fill="${a}"/>` +
  `<path d="M72 14h2v26q0 6 8 12 8 7 8 18v40q0 12-12 12H68q12-2 12-12V70q0-9-5-16-5-6-5-14Z" fill="${b}" opacity=".7"/>` +
  `<rect x="42" y="74" width="44" height="30" rx="2" fill="#FBF5E4"/><path d="M49 83h30M49 90h30M55 97h18" stroke="${b}" stroke-width="3" stroke-linecap="round" opacity=".8"/>` +
  `<path d="M55 4h18l2 12H53Z" fill="#C79C66"/><path d="M53 14h22v6H53Z" fill="#9C7443"/>` +
  shine("M44 66q1-7 6-11 3-2 3 1-5 5-5 14Z", 0.6) +
  `<path d="M44 108q2 6 8 8" stroke="${c}" stroke-width="3" fill="none" stroke-linecap="round"/>`;

const jug = ([a, b, c]: Fill): string =>
  `<path d="M84 30q26 0 26 24t-20 26" fill="none" stroke="${b}" stroke-width="9"/>` +
  `<path d="M46 12h28v16q0 6 12 14 12 9 12 24v42q0 14-14 14H36q-14 0-14-14V66q0-15 12-24 12-8 12-14Z" fill="${a}"/>` +
  `<path d="M72 12h2v16q0 6 12 14 12 9 12 24v42q0 14-14 14H70q14-2 14-14V66q0-13-8-22-6-7-6-16Z" fill="${b}" opacity=".6"/>` +
  `<rect x="30" y="68" width="52" height="34" rx="3" fill="#FBF5E4"/><path d="M38 79h36M38 87h36M46 95h20" stroke="${b}" stroke-width="3.4" stroke-linecap="round" opacity=".8"/>` +
  `<rect x="42" y="4" width="36" height="13" rx="4" fill="${ink}" opacity=".85"/>` +
  shine("M28 62q3-9 11-15 4-2 3 2-7 6-8 16Z", 0.55) +
  `<path d="M28 106q2 8 9 10" stroke="${c}" stroke-width="3" fill="none" stroke-linecap="round"/>`;

const milk = ([a, b]: Fill): string =>
  `<path d="M48 18h32v18q0 6 8 14 8 9 8 20v40q0 14-14 14H46q-14 0-14-14V70q0-11 8-20 8-8 8-14Z" fill="#DFE9EC"/>` +
  `<path d="M48 40h32q2 5 7 10 7 9 7 20v39q0 12-12 12H46q-12 0-12-12V70q0-11 7-20 5-5 7-10Z" fill="#FFFDF6"/>` +
  `<path d="M78 40h2q2 5 7 10 7 9 7 20v39q0 12-12 12H70q12-2 12-13V70q0-12-6-20Z" fill="#D8D5C6" opacity=".7"/>` +
  `<circle cx="62" cy="84" r="17" fill="none" stroke="${a}" stroke-width="4"/><path d="M52 90q10-22 20 0M56 82q6-4 12 0" stroke="${a}" stroke-width="4" fill="none" stroke-linecap="round"/>` +
  `<rect x="44" y="8" width="40" height="14" rx="5" fill="${a}"/><path d="M44 16h40v1q0 5-5 5H49q-5 0-5-5Z" fill="${b}"/>` +
  shine("M39 66q1-7 6-12 3-1 2 2-4 6-4 14v30q-1 4-4 0Z", 0.9);

const bag = ([a, b, c]: Fill): string =>
  `<path d="M30 22h68l6 92q0 8-8 8H32q-8 0-8-8Z" fill="#D9B483"/><path d="M84 22h14l6 92q0 8-8 8H78q9-1 9-10Z" fill="#B98F5B" opacity=".7"/>` +
  `<path d="M28 10h72l-2 18H30Z" fill="#C79C66"/><path d="M30 22h68l-.4 6H30.4Z" fill="#9C7443"/><path d="M36 15h56" stroke="#E2C196" stroke-width="3" stroke-linecap="round"/>` +
  `<rect x="36" y="46" width="56" height="50" rx="4" fill="${a}"/><path d="M36 82h56v10q0 4-4 4H40q-4 0-4-4Z" fill="${b}"/><circle cx="64" cy="64" r="10" fill="${c}"/><path d="M46 89h36" stroke="#FBF5E4" stroke-width="3.4" stroke-linecap="round"/>` +
  `<path d="M34 104q30 6 60 0" stroke="#9C7443" stroke-width="2" fill="none" opacity=".5"/>`;

const tub = ([a, b, c]: Fill): string =>
  `<path d="M22 44h84l-8 66q-1 12-13 12H43q-12 0-13-12Z" fill="#FBF7EC"/><path d="M88 44h18l-8 66q-1 12-13 12H70q13-1 14-12Z" fill="#D9D2BD" opacity=".6"/>` +
  `<path d="M25 60h78l-5 36H30Z" fill="${a}"/><path d="M86 60h17l-5 36H83Z" fill="${b}" opacity=".6"/><circle cx="62" cy="78" r="12" fill="${c}"/><path d="M55 79q7 7 14 0" stroke="${b}" stroke-width="3" fill="none" stroke-linecap="round"/>` +
  `<rect x="17" y="30" width="94" height="16" rx="7" fill="${a}"/><path d="M17 40h94q0 6-7 6H24q-7 0-7-6Z" fill="${b}"/><path d="M24 34h72" stroke="${c}" stroke-width="3.5" stroke-linecap="round"/>`;

const pack = ([a, b, c]: Fill): string =>
  `<rect x="10" y="30" width="108" height="76" rx="12" fill="#EDF1F0"/><path d="M10 92q0 14 12 14h84q12 0 12-14Z" fill="#C6CECC"/>` +
  `<path d="M24 60q2-18 24-18 14 0 24 2 30 0 32 20 2 30-36 30-44 0-44-34Z" fill="${a}"/><path d="M24 62q0 32 44 32 38 0 36-30-2 20-36 20-36 0-44-22Z" fill="${b}" opacity=".75"/>` +
  `<path d="M38 56q8-8 20-4M66 54q12-4 24 6M44 70q14 6 26 0" stroke="${c}" stroke-width="4.5" fill="none" stroke-linecap="round"/>` +
  `<rect x="66" y="70" width="44" height="26" rx="3" fill="#FBF5E4"/><path d="M72 78h32M72 84h32M72 90h18" stroke="${ink}" stroke-width="2.4" stroke-linecap="round" opacity=".55"/>` +
  shine("M18 40q3-5 10-5h30q3 2-2 3-26 1-34 7-4 2-4-5Z", 0.8);

const boule = (): string =>
  `<path d="M8 82q0-44 56-44t56 44q0 28-56 28T8 82Z" fill="#B5702C"/><path d="M8 84q2 26 56 26t56-26q0 14-14 18-16 5-42 5t-42-5Q8 98 8 84Z" fill="#7E4617"/>` +
  `<path d="M16 76q4-32 48-32t48 32q-10-22-48-22T16 76Z" fill="#D9984E"/><path d="M30 82q12-26 40-30M46 94q10-30 42-36M66 100q8-22 36-30" stroke="#F6E3C0" stroke-width="6" fill="none" stroke-linecap="round"/>` +
  `<path d="M30 82q12-26 40-30M46 94q10-30 42-36M66 100q8-22 36-30" stroke="#7E4617" stroke-width="1.6" fill="none" stroke-linecap="round" transform="translate(1 4)"/>`;

const loaf = ([a, b, c]: Fill): string =>
  `<path d="M8 78q-2-34 30-38 26-6 54 0 30 4 28 38l-4 26q-1 6-8 6H20q-7 0-8-6Z" fill="${a}"/><path d="M12 92l2 12q1 6 8 6h84q7 0 8-6l2-12q-50 10-104 0Z" fill="${b}"/>` +
  `<path d="M16 66q2-18 26-20 22-5 46 0 22 3 24 20-12-12-48-12T16 66Z" fill="${c}"/><path d="M36 74l10-22M58 76l8-26M80 76l6-24" stroke="${b}" stroke-width="4" stroke-linecap="round"/>`;

const sausage = ([a, b, c]: Fill): string =>
  [0, 1, 2]
    .map(
      (i) =>
        `<g transform="translate(${i * -3} ${i * 26 - 24})"><path d="M22 66q-8-14 6-18 8-2 14 4 24 18 48 2 10-6 16 0 10 12-6 22-38 22-78-10Z" fill="${a}"/><path d="M22 66q40 30 78 10 14-10 8-18-2 8-14 14-34 16-72-6Z" fill="${b}" opacity=".7"/><path d="M34 56q26 18 56 6" stroke="${c}" stroke-width="4" fill="none" stroke-linecap="round"/><path d="M22 54l-9-6M108 58l9-5" stroke="${b}" stroke-width="4.5" stroke-linecap="round"/></g>`,
    )
    .join("");

const wheel = ([a, b, c]: Fill): string =>
  `<path d="M6 62v28q0 24 58 24t58-24V62Z" fill="${b}"/><ellipse cx="64" cy="60" rx="58" ry="26" fill="${a}"/><ellipse cx="64" cy="57" rx="48" ry="19" fill="${c}" opacity=".75"/>` +
  `<path d="M64 60L112 74v32q-14 7-30 8Z" fill="#FBEFC9"/><path d="M64 60L82 114q-10 1-18 0Z" fill="#E8D199"/><circle cx="98" cy="90" r="3.5" fill="#E0C27C"/><circle cx="88" cy="98" r="2.5" fill="#E0C27C"/>`;

const roundCheese = ([a, b, c]: Fill): string =>
  `<path d="M14 62v22q0 24 50 24t50-24V62Z" fill="${b}"/><ellipse cx="64" cy="62" rx="50" ry="26" fill="${a}"/><path d="M24 58q6-14 40-15" stroke="${c}" stroke-width="5" fill="none" stroke-linecap="round"/>` +
  `<g fill="${b}" opacity=".6"><circle cx="52" cy="66" r="2.5"/><circle cx="76" cy="58" r="2"/><circle cx="84" cy="72" r="2.5"/><circle cx="62" cy="76" r="2"/><circle cx="40" cy="70" r="2"/></g>` +
  `<path d="M52 50q10-14 26-10-4 16-20 16Z" fill="#5C8A4A"/><path d="M54 54q10-8 20-12" stroke="#3E6532" stroke-width="2" fill="none"/>`;

const carton = ([a, b, c]: Fill): string =>
  `<path d="M10 66h108l-8 40q-1 8-9 8H27q-8 0-9-8Z" fill="#A9AFA6"/><path d="M10 66h108l-2 12H12Z" fill="#C9CEC5"/>` +
  [24, 50, 78, 104]
    .map(
      (x, i) =>
        `<path d="M${x - 13} 70q0-30 13-32 13 2 13 32Z" fill="${i % 2 ? c : a}"/><path d="M${x + 5} 44q7 8 8 26h-8Z" fill="${b}" opacity=".45"/>`,
    )
    .join("") +
  `<path d="M8 66h112q0 10-14 10-8 0-14 6-6-6-14-6t-14 6q-6-6-14-6t-14 6q-6-6-14-6-14 0-14-10Z" fill="#BBC1B7"/><path d="M20 88h88M22 100h84" stroke="#8C938A" stroke-width="3" stroke-linecap="round" opacity=".6"/>`;

const pumpkin = ([a, b, c]: Fill): string =>
  `<path d="M60 34q-2-18 10-24l10 4q-8 8-6 20Z" fill="#6F7F35"/><ellipse cx="64" cy="76" rx="56" ry="42" fill="${b}"/><ellipse cx="34" cy="76" rx="27" ry="40" fill="${a}"/><ellipse cx="94" cy="76" rx="27" ry="40" fill="${a}"/><ellipse cx="64" cy="76" rx="26" ry="43" fill="${a}" stroke="${b}" stroke-width="3"/>` +
  `<path d="M22 56q4-12 12-14M52 48q4-8 10-8M88 46q8 2 12 10" stroke="${c}" stroke-width="6" fill="none" stroke-linecap="round"/><path d="M64 33v86M40 40q-14 34 0 72M88 40q14 34 0 72" stroke="${b}" stroke-width="3" fill="none" opacity=".7"/>`;

const butternut = ([a, b, c]: Fill): string =>
  `<g transform="rotate(28 64 64)"><path d="M58 6h12l2 12H56Z" fill="#7A6A35"/><path d="M46 20q18-8 36 0 6 14 2 32 20 14 20 38 0 32-40 32T24 90q0-24 20-38-4-18 2-32Z" fill="${a}"/><path d="M76 18q4 1 6 2 6 14 2 32 20 14 20 38 0 32-40 32 24-4 24-32 0-22-18-36 6-18 6-36Z" fill="${b}" opacity=".6"/><path d="M52 30q-2 16 0 26M36 88q-2-14 8-24" stroke="${c}" stroke-width="6" fill="none" stroke-linecap="round"/></g>`;

const zucchini = ([a, b, c]: Fill): string =>
  `<g transform="rotate(-38 64 64)"><path d="M4 58h12v14H4q-3-7 0-14Z" fill="#A8B56A"/><path d="M14 52q50-10 94-2 14 4 14 15t-14 15q-44 8-94-2-5-13 0-26Z" fill="${a}"/><path d="M13 70q50 8 109-4-1 11-14 14-44 8-94-2Z" fill="${b}" opacity=".7"/><path d="M24 58q40-7 80-2" stroke="${c}" stroke-width="4" fill="none" stroke-linecap="round"/></g>`;

const asparagus = ([a, b, c]: Fill): string =>
  [-26, -13, 0, 13, 26]
    .map(
      (x, i) =>
        `<g transform="translate(${64 + x} ${4 + (i % 2) * 6}) rotate(${x * 0.16})"><path d="M-6 30h12v86q0 4-6 4t-6-4Z" fill="${a}"/><path d="M1 30h5v86q0 4-5 4Z" fill="${b}" opacity=".6"/><path d="M0 0q9 12 8 34H-8Q-9 12 0 0Z" fill="${b}"/><path d="M-5 18l5-8 5 8M-6 28l6-8 6 8" stroke="${c}" stroke-width="2" fill="none"/><path d="M-5 56l6-5M-5 82l6-5" stroke="${b}" stroke-width="2.5"/></g>`,
    )
    .join("") +
  `<rect x="26" y="78" width="76" height="12" rx="5" fill="#B5301C"/><path d="M28 84h72" stroke="#E07A68" stroke-width="2"/>`;

const plum = ([a, b, c]: Fill): string =>
  `<circle cx="64" cy="74" r="46" fill="${a}"/><path d="M92 38a46 46 0 1 1-72 50q18 24 46 18t26-68Z" fill="${b}" opacity=".55"/><path d="M64 30q8 20 2 46" stroke="${b}" stroke-width="3.5" fill="none" opacity=".7"/><path d="M36 56q4-12 14-15" stroke="${c}" stroke-width="7" fill="none" stroke-linecap="round"/><path d="M64 32q0-14 6-22" stroke="#6B5528" stroke-width="5" fill="none" stroke-linecap="round"/><path d="M68 20q16-16 36-8-10 18-36 8Z" fill="#6E9A48"/>`;

const bunch = ([a, b, c]: Fill): string =>
  [-30, 30, -15, 15, 0]
    .map(
      (r, i) =>
        `<g transform="rotate(${r} 64 118)"><path d="M64 118V60" stroke="${a}" stroke-width="7"/><path d="M64 ${i === 4 ? 2 : 12}q26 8 24 34 6 18-10 32-14 6-28 0-16-14-10-32-2-26 24-34Z" fill="${i % 2 ? "#3F7D3A" : "#4C9044"}"/><path d="M64 16v62M64 38l14-8M64 38l-14-8M64 56l17-8M64 56l-17-8" stroke="${c}" stroke-width="3" fill="none" stroke-linecap="round" opacity=".85"/></g>`,
    )
    .join("") +
  `<path d="M48 100q16 8 32 0l-2 12q-14 5-28 0Z" fill="#D9B483"/><path d="M50 108q14 5 28 0" stroke="${b}" stroke-width="2" fill="none"/>`;

const cabbage = ([a, b, c]: Fill): string =>
  `<circle cx="64" cy="68" r="52" fill="${b}"/><path d="M14 66q0-44 48-50-34 32-10 98-38-8-38-48Z" fill="${a}"/><path d="M114 66q0-44-48-50 34 32 10 98 38-8 38-48Z" fill="${a}"/><path d="M64 18q26 22 22 60-4 30-22 42-18-12-22-42-4-38 22-60Z" fill="${c}"/><path d="M64 30v84M64 56l14-12M64 56L50 44M64 78l17-12M64 78L47 66M24 54q8 30 26 46M104 54q-8 30-26 46" stroke="${b}" stroke-width="3" fill="none" stroke-linecap="round" opacity=".8"/>`;

const cauliflower = ([a, b, c]: Fill): string =>
  `<path d="M6 74q10-22 30-14l14 50q-30 10-44-36ZM122 74q-10-22-30-14l-14 50q30 10 44-36Z" fill="#6E9A48"/><path d="M28 92q36-22 72 0-8 28-36 28T28 92Z" fill="#8CB562"/>` +
  [
    [40, 62, 22],
    [88, 62, 22],
    [64, 50, 25],
    [50, 80, 21],
    [78, 80, 21],
    [64, 68, 18],
  ]
    .map(
      ([x, y, r]) =>
        `<circle cx="${x}" cy="${y}" r="${r}" fill="${a}"/><path d="M${(x ?? 0) - 12} ${(y ?? 0) + 8}q12 10 24 0" stroke="${b}" stroke-width="3" fill="none" stroke-linecap="round"/><circle cx="${(x ?? 0) - 6}" cy="${(y ?? 0) - 7}" r="4" fill="${c}"/>`,
    )
    .join("");

const leek = (): string =>
  [-18, 18, 0]
    .map(
      (x) =>
        `<g transform="rotate(${x * 0.7} 64 120) translate(${x * 0.6} 0)"><path d="M58 118V60q-6-26-20-52 16 8 24 28 2-18 4-34 8 18 6 36 6-14 14-22-4 28-14 46v56q-7 5-14 0Z" fill="#4F9148"/><path d="M58 118V72q7 4 14 0v46q-7 5-14 0Z" fill="#F4F4E2"/><path d="M58 88V62q7 6 14 0v26q-7-6-14 0Z" fill="#A8CB7C"/><path d="M60 119q-2 5-5 7M65 120v7M69 119q3 5 5 7" stroke="#D2CBA6" stroke-width="2"/></g>`,
    )
    .join("") + `<rect x="40" y="86" width="48" height="9" rx="4" fill="#274E8C"/>`;

const berries = ([a, b, c]: Fill): string =>
  [
    [40, 50],
    [86, 48],
    [64, 84],
  ]
    .map(
      ([x, y]) =>
        `<g transform="translate(${x} ${y})">${[
          [-10, -10],
          [10, -10],
          [0, -4],
          [-15, 4],
          [15, 4],
          [-6, 10],
          [8, 12],
          [0, 22],
          [-10, 20],
          [10, 22],
        ]
          .map(
            ([u, v]) =>
              `<circle cx="${u}" cy="${v}" r="10" fill="${a}"/><path d="M${(u ?? 0) - 6} ${(v ?? 0) + 7}a10 10 0 0 0 15-9q-1 8-15 9Z" fill="${b}"/><circle cx="${(u ?? 0) - 3}" cy="${(v ?? 0) - 3}" r="2.6" fill="${c}"/>`,
          )
          .join("")}<path d="M0-22q-8-4-16 2 8 4 16-2ZM0-22q8-4 16 2-8 4-16-2Z" fill="#6E9A48"/></g>`,
    )
    .join("");

const roll = (): string =>
  `<ellipse cx="64" cy="78" rx="56" ry="40" fill="#A8682B"/><ellipse cx="64" cy="68" rx="56" ry="40" fill="#D99A52"/><path d="M64 68q-10-8 2-14 18-4 20 12 0 20-24 20-28-2-26-24 4-26 36-24 34 4 32 32" fill="none" stroke="#8A4A1C" stroke-width="7" stroke-linecap="round"/><path d="M22 58q14-26 46-24 34 0 40 30-12-8-14 6-2 12-8 4t-12 6q-2 10-9 2-8-8-14 2-6 10-12 0-6-10-12-8Z" fill="#FFF8EA" opacity=".9"/>`;

const muffin = ([a, b, c]: Fill): string =>
  `<path d="M26 68h76l-10 48q-1 6-8 6H44q-7 0-8-6Z" fill="#E7C792"/><path d="M40 70l5 50M54 70l3 51M74 70l-3 51M88 70l-5 50" stroke="#C49A5C" stroke-width="4"/><path d="M18 66q-4-14 12-20 4-26 34-26t34 26q16 6 12 20-2 10-14 10H32q-12 0-14-10Z" fill="#C98A45"/><path d="M30 46q6-22 34-22 20 0 28 14-16-8-34-6-18 2-28 14Z" fill="#E2B272"/>` +
  [
    [44, 48],
    [64, 40],
    [86, 50],
    [56, 62],
    [76, 64],
    [34, 62],
  ]
    .map(
      ([x, y]) =>
        `<circle cx="${x}" cy="${y}" r="6" fill="${a}"/><circle cx="${(x ?? 0) - 2}" cy="${(y ?? 0) - 2}" r="2" fill="${c}"/>`,
    )
    .join("") +
  `<path d="M24 70q40 10 80 0" stroke="${b}" stroke-width="2" fill="none" opacity=".3"/>`;

const fillet = ([a, b, c]: Fill): string =>
  `<path d="M8 84q8-44 56-50 40-4 54 14 6 12-6 22-28 32-72 32-30 0-32-18Z" fill="${a}"/><path d="M8 86q2 18 32 18 44 0 72-32 10-8 8-18 8 16-8 30-28 26-70 26-36 0-34-24Z" fill="#8E9AA0"/><path d="M28 92q0-24 16-46M46 94q-2-28 14-54M66 90q-4-28 12-54M86 80q-4-22 8-46" stroke="${c}" stroke-width="4.5" fill="none" stroke-linecap="round"/><path d="M16 80q34 4 96-26" stroke="${b}" stroke-width="2.5" fill="none" opacity=".7"/>`;

const tin = ([a, b, c]: Fill): string =>
  `<path d="M24 34v70q0 16 40 16t40-16V34Z" fill="${a}"/><path d="M84 34h20v70q0 12-24 15 6-4 6-15Z" fill="${b}" opacity=".7"/><rect x="24" y="56" width="80" height="36" fill="#FBF5E4"/><path d="M38 68h52M38 76h52M48 84h32" stroke="${b}" stroke-width="3.4" stroke-linecap="round" opacity=".8"/><ellipse cx="64" cy="32" rx="43" ry="15" fill="${b}"/><ellipse cx="64" cy="27" rx="43" ry="15" fill="${c}"/><ellipse cx="64" cy="26" rx="32" ry="9" fill="${a}" opacity=".6"/>`;

const soapBar = ([a, b, c]: Fill): string =>
  `<g transform="rotate(-10 64 64)"><rect x="10" y="44" width="108" height="58" rx="10" fill="${b}"/><rect x="10" y="36" width="108" height="54" rx="10" fill="${a}"/><path d="M18 50q24-12 46 0t46-4" stroke="${c}" stroke-width="6" fill="none" stroke-linecap="round"/><rect x="44" y="34" width="40" height="70" rx="2" fill="#FBF5E4"/><path d="M51 56h26M51 64h26M55 72h18" stroke="${b}" stroke-width="3" stroke-linecap="round"/></g>`;

const sprigs = ([a, b, c]: Fill): string =>
  [-24, 24, -12, 12, 0]
    .map(
      (r) =>
        `<g transform="rotate(${r} 64 118)"><path d="M64 118V34" stroke="#6F8A4C" stroke-width="4"/>${[0, 1, 2, 3, 4].map((i) => `<ellipse cx="58" cy="${14 + i * 11}" rx="7" ry="6" fill="${a}"/><ellipse cx="70" cy="${14 + i * 11}" rx="7" ry="6" fill="${b}"/><circle cx="62" cy="${10 + i * 11}" r="3" fill="${c}"/>`).join("")}<path d="M64 88q-12-4-16-14M64 96q12-4 16-14" stroke="#6F8A4C" stroke-width="4" fill="none" stroke-linecap="round"/></g>`,
    )
    .join("") + `<path d="M46 98h36l-3 11H49Z" fill="#D9B483"/>`;

const wreath = ([a, b]: Fill): string =>
  Array.from({ length: 22 }, (_, i) => {
    const t = (i * Math.PI * 2) / 22;
    const x = (64 + 42 * Math.cos(t)).toFixed(1);
    const y = (64 + 42 * Math.sin(t)).toFixed(1);
    return `<g transform="translate(${x} ${y}) rotate(${Math.round((t * 180) / Math.PI + 60 + (i % 2) * 50)})"><path d="M0-16q11 12 0 30-11-18 0-30Z" fill="${i % 3 ? "#4F7F45" : "#7DA35E"}"/></g>${i % 3 === 0 ? `<circle cx="${x}" cy="${y}" r="5.5" fill="${a}"/>` : ""}`;
  }).join("") +
  `<path d="M64 108q-18-14-24 0 6 12 24 0 18 12 24 0-6-14-24 0ZM60 108l-12 18M68 108l12 18" fill="${a}" stroke="${b}" stroke-width="4"/>`;

const potHerb = ([a, b, c]: Fill): string =>
  `<path d="M64 76V30M64 60L40 36M64 60l24-24M64 50L50 18M64 50l16-34" stroke="#4F7F45" stroke-width="4" stroke-linecap="round"/>` +
  [
    [40, 34],
    [88, 34],
    [50, 16],
    [80, 14],
    [64, 26],
    [30, 54],
    [98, 54],
    [54, 46],
    [76, 46],
  ]
    .map(
      ([x, y], i) =>
        `<ellipse cx="${x}" cy="${y}" rx="15" ry="11" transform="rotate(${i % 2 ? -35 : 35} ${x} ${y})" fill="${i % 3 ? a : c}"/><path d="M${(x ?? 0) - 8} ${y}h16" stroke="${b}" stroke-width="2" transform="rotate(${i % 2 ? -35 : 35} ${x} ${y})"/>`,
    )
    .join("") +
  `<path d="M30 70h68v12H30Z" fill="#C96F43"/><path d="M36 82h56l-8 34q-1 6-8 6H52q-7 0-8-6Z" fill="#B55E35"/><path d="M76 82h16l-8 34q-1 6-8 6h-8q6-1 7-6Z" fill="#8E4524" opacity=".7"/>`;

const oysterMushroom = ([a, b, c]: Fill): string =>
  `<path d="M54 120q-8-30 4-52h14q12 22 4 52-11 6-22 0Z" fill="#F5EDDD"/><path d="M6 60q-2-30 34-30 30 2 30 28-6 14-30 14T6 60ZM122 72q4-26-26-30-30 0-34 26 4 14 28 16t32-12ZM34 96q-18-2-18-18 4-14 24-12t24 18q-6 14-30 12Z" fill="${a}"/><path d="M6 60q10 12 34 12t30-14q0 20-30 22-30-4-34-20ZM122 72q-8 14-32 12t-28-16q0 22 26 26 30-2 34-22ZM34 96q24 2 30-12 2 16-24 20-22-4-24-26 4 16 18 18Z" fill="${b}"/><path d="M18 46q8-10 24-8M80 56q8-8 20-6" stroke="${c}" stroke-width="5" fill="none" stroke-linecap="round"/>`;

const lionsMane = (): string =>
  `<path d="M14 62q0-48 50-48t50 48q2 52-50 56Q12 114 14 62Z" fill="#F6F0E0"/>` +
  Array.from({ length: 34 }, (_, i) => {
    const x = 20 + ((i * 37) % 88);
    const y = 34 + ((i * 23) % 66);
    return `<path d="M${x} ${y}q-2 10 1 20" stroke="${i % 2 ? "#D8CBAA" : "#EADFC4"}" stroke-width="4" stroke-linecap="round" fill="none"/>`;
  }).join("") +
  `<path d="M28 42q10-20 34-20" stroke="#fff" stroke-width="6" fill="none" stroke-linecap="round"/>`;

const cookieTray = ([a, b, c]: Fill): string =>
  [
    [38, 46],
    [90, 44],
    [64, 86],
  ]
    .map(
      ([x, y]) =>
        `<circle cx="${x}" cy="${(y ?? 0) + 4}" r="34" fill="${b}"/><circle cx="${x}" cy="${y}" r="34" fill="${a}"/><g fill="${c}"><circle cx="${(x ?? 0) - 12}" cy="${(y ?? 0) - 8}" r="4.5"/><circle cx="${(x ?? 0) + 10}" cy="${(y ?? 0) - 12}" r="3.5"/><circle cx="${(x ?? 0) + 4}" cy="${(y ?? 0) + 10}" r="4.5"/><circle cx="${(x ?? 0) - 14}" cy="${(y ?? 0) + 12}" r="3"/></g>`,
    )
    .join("");

const jerky = ([a, b, c]: Fill): string =>
  [0, 1, 2]
    .map(
      (i) =>
        `<g transform="rotate(${-14 + i * 12} 64 64) translate(0 ${i * 24 - 24})"><path d="M8 56q10-8 22-2 14-8 30-2 18-6 32 2 18-6 26 6 4 12-8 18-20-4-34 2-16-6-32 2-16-8-30-2-14-8-6-24Z" fill="${a}"/><path d="M14 70q16-6 30 2 16-8 32-2 14-6 34-2 8-4 9-10-14 6-32 2-16 6-34 0-16 6-44-4-1 8 5 14Z" fill="${b}" opacity=".7"/><path d="M22 60q20 4 36-2M70 60q18 4 32-2" stroke="${c}" stroke-width="3" fill="none" stroke-linecap="round"/></g>`,
    )
    .join("");

const popsicle = ([a, b, c]: Fill): string =>
  `<g transform="rotate(14 64 64)"><rect x="56" y="92" width="16" height="34" rx="7" fill="#E0BE87"/><path d="M34 40q0-32 30-32t30 32v48q0 10-10 10H44q-10 0-10-10Z" fill="${a}"/><path d="M80 14q14 8 14 26v48q0 10-10 10H70q12-2 12-14V40q0-16-2-26Z" fill="${b}" opacity=".55"/><path d="M48 36v40M64 34v44" stroke="${c}" stroke-width="6" stroke-linecap="round"/></g>`;

const bowl = ([a, b, c]: Fill): string =>
  `<ellipse cx="64" cy="56" rx="58" ry="24" fill="#E8E2D2"/><ellipse cx="64" cy="56" rx="50" ry="18" fill="${a}"/><path d="M18 58q20 12 46 12t46-12q-4 16-46 16T18 58Z" fill="${b}" opacity=".6"/><circle cx="46" cy="52" r="6" fill="${c}"/><circle cx="78" cy="56" r="5" fill="#6E9A48"/><path d="M56 60q8-8 14-2" stroke="${c}" stroke-width="4" fill="none" stroke-linecap="round"/><path d="M6 58q4 44 30 54h56q26-10 30-54-12 22-58 22T6 58Z" fill="#F8F3E6"/><path d="M92 112q26-10 30-54-3 6-10 11-4 30-30 43Z" fill="#CFC6AF"/><path d="M50 28q-6-8 0-16M66 24q-6-8 0-16M82 28q-6-8 0-16" stroke="#fff" stroke-width="4" fill="none" stroke-linecap="round" opacity=".8"/>`;

const tray = ([a, b, c]: Fill): string =>
  `<path d="M6 44h116l-10 60q-1 8-10 8H26q-9 0-10-8Z" fill="#B9C0C2"/><path d="M6 44h116l-2 10H8Z" fill="#E1E6E7"/><path d="M16 44q4-18 24-16 10-12 26-6 14-8 26 4 18 0 20 18Z" fill="${a}"/><path d="M16 44q16-8 48-8t48 8Z" fill="${b}" opacity=".6"/><path d="M34 34q6-6 12-2M60 28q8-4 14 2M86 36q6-6 12 0" stroke="${c}" stroke-width="4.5" fill="none" stroke-linecap="round"/><rect x="34" y="66" width="60" height="28" rx="3" fill="#FBF5E4"/><path d="M42 75h44M42 82h44M50 89h28" stroke="${ink}" stroke-width="2.4" stroke-linecap="round" opacity=".55"/>`;

const towel = ([a, b, c]: Fill): string =>
  `<path d="M22 14h84v96q0 6-6 6H28q-6 0-6-6Z" fill="#FFFDF6"/><path d="M86 14h20v96q0 6-6 6H80q6-2 6-10Z" fill="#DDD5C1" opacity=".7"/><path d="M22 22h84v8H22ZM22 98h84v8H22Z" fill="${a}"/><path d="M22 34h84M22 94h84" stroke="${b}" stroke-width="2.5"/><path d="M64 84V54M64 70q-14-2-16-16 14 2 16 16ZM64 62q14-2 16-16-14 2-16 16Z" fill="#6E9A48" stroke="#4F7F45" stroke-width="3" stroke-linecap="round"/><circle cx="46" cy="80" r="5" fill="${c}"/><circle cx="82" cy="76" r="5" fill="${a}"/><path d="M26 116v6M36 116v6M46 116v6M56 116v6M66 116v6M76 116v6M86 116v6M96 116v6" stroke="#DDD5C1" stroke-width="3"/>`;

const okra = ([a, b, c]: Fill): string =>
  [
    [-24, -20],
    [0, 0],
    [24, 14],
  ]
    .map(
      ([x, r]) =>
        `<g transform="rotate(${r} 64 64) translate(${x} 0)"><path d="M54 26h20l-2-14H56Z" fill="${b}"/><path d="M52 28q12-6 24 0 4 44-12 92-16-48-12-92Z" fill="${a}"/><path d="M58 32q-2 36 6 80M70 32q2 36-6 80" stroke="${b}" stroke-width="2.5" fill="none"/><path d="M64 32v60" stroke="${c}" stroke-width="3"/></g>`,
    )
    .join("");

const sprouts = ([a, b, c]: Fill): string =>
  `<path d="M14 76h100l-8 38q-1 8-9 8H31q-8 0-9-8Z" fill="#3F4438"/><path d="M14 76h100l-2 10H16Z" fill="#5D6353"/>` +
  Array.from({ length: 13 }, (_, i) => {
    const x = 18 + i * 7.6;
    const y = 20 + ((i * 5) % 4) * 9;
    return `<path d="M${x.toFixed(1)} 78V${y + 8}" stroke="${c}" stroke-width="3.5"/><path d="M${x.toFixed(1)} ${y + 10}q-12-2-12-12 12 0 12 12q12-2 12-12-12 0-12 12Z" fill="${i % 3 ? a : b}"/>`;
  }).join("");

const DRAWINGS: Record<string, (fill: Fill) => string> = {
  ...FOODS,
  jar,
  "cloth-jar": clothJar,
  bottle,
  jug,
  milk,
  bag,
  tub,
  pack,
  boule,
  loaf,
  sausage,
  wheel,
  "round-cheese": roundCheese,
  carton,
  pumpkin,
  butternut,
  zucchini,
  asparagus,
  plum,
  bunch,
  cabbage,
  cauliflower,
  leek,
  berries,
  roll,
  muffin,
  fillet,
  tin,
  "soap-bar": soapBar,
  sprigs,
  wreath,
  "pot-herb": potHerb,
  "oyster-mushroom": oysterMushroom,
  "lions-mane": lionsMane,
  cookies: cookieTray,
  jerky,
  popsicle,
  bowl,
  tray,
  okra,
  towel,
  sprouts,
};

/** Names of the drawings, without their colors. */
export const drawingNames: readonly string[] = Object.keys(DRAWINGS);
/** Names of the colors a drawing may be filled with. */
export const colorNames: readonly string[] = Object.keys(COLORS);

/** The SVG body of `name` or `name/color` on a 128 × 128 grid; undefined when there is no such drawing or color. */
export function drawing(spec: string): string | undefined {
  const [name = "", color = "cream"] = spec.split("/");
  const draw = Object.hasOwn(DRAWINGS, name) ? DRAWINGS[name] : undefined;
  const fill = Object.hasOwn(COLORS, color) ? COLORS[color] : undefined;
  return draw && fill ? draw(fill) : undefined;
}
