import type { HubMap } from "@marketday/contracts/hubs";

import s from "./map.module.css";

interface HubMapDrawingProps {
  map: HubMap;
  /** What it shows, in words; without it the drawing stands beside them and is not read out. */
  label?: string;
}

/** The server's drawing of a delivery area as it is: on cards, and until one can move it. */
export function HubMapDrawing({ map, label }: HubMapDrawingProps) {
  const { viewBox, counties, states, boundary, pin } = map;
  return (
    <svg
      className={s.drawing}
      viewBox={viewBox}
      preserveAspectRatio="xMidYMid slice"
      {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}
    >
      <path className={s.counties} d={counties} />
      <path className={s.states} d={states} />
      <path className={s.boundary} d={boundary} />
      <circle className={s.dot} cx={pin.x} cy={pin.y} r={16} />
    </svg>
  );
}
