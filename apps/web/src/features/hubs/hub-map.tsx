import type { HubMap as HubMapData } from "@marketday/contracts/hubs";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { useEffect, useId, useRef, useState } from "react";

import { type AreaMap, openAreaMap, type Spot } from "./leaflet-area.ts";

import s from "./map.module.css";

interface HubMapProps {
  map: HubMapData;
  label: string;
  /** A place to mark: the zip of the search. */
  spot: Spot | null;
}

/** The delivery area as a map that moves: by finger or mouse, by its buttons, by the keyboard. Split off: Leaflet is large. */
export default function HubMap({ map, label, spot }: HubMapProps) {
  const box = useRef<HTMLDivElement>(null);
  const area = useRef<AreaMap | null>(null);
  const [depth, setDepth] = useState(0);
  const help = useId();

  useEffect(() => {
    if (!box.current) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    area.current = openAreaMap(box.current, map, calm, setDepth);
    return () => {
      area.current?.remove();
      area.current = null;
    };
  }, [map]);
  // A new map has no mark yet.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => area.current?.mark(spot), [map, spot]);

  return (
    <>
      <div ref={box} role="application" aria-label={label} aria-describedby={help} tabIndex={0} />
      <p id={help} className="sr">
        Arrow keys move the map, plus and minus zoom. The counties are listed below it.
      </p>
      <div className={s.tools}>
        <IconButton
          icon="plus"
          label="Zoom in"
          floating
          aria-disabled={depth > 0.99 || undefined}
          onClick={() => area.current?.zoomIn()}
        />
        <IconButton
          icon="minus"
          label="Zoom out"
          floating
          aria-disabled={depth < 0.01 || undefined}
          onClick={() => area.current?.zoomOut()}
        />
        <IconButton
          icon="aim"
          label="Show the whole area"
          floating
          aria-disabled={depth < 0.01 || undefined}
          onClick={() => area.current?.showAll()}
        />
      </div>
    </>
  );
}
