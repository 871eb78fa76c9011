import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import { useLatch } from "@marketday/client/use-latch.ts";
import type { Hub, HubMap as HubMapData } from "@marketday/contracts/hubs";
import { areaByState, formatArea } from "@marketday/domain/hub-facts";
import { Chip } from "@marketday/ui/chip.tsx";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { hubMapQuery } from "./area-api.ts";
import { HubMapDrawing } from "./hub-map-drawing.tsx";

import s from "./area-section.module.css";
import look from "./map.module.css";

const HubMap = lazyWithRetry(() => import("./hub-map.tsx"));

interface AreaSectionProps {
  hub: Pick<Hub, "id" | "name" | "accessibleZipCodes">;
  /** The zip to mark. */
  zip: string | null;
  /** What is below; rendered once the height of the area is known, so that it does not move, or its first request has failed. */
  children: ReactNode;
}

/**
 * Where a market delivers: the map, and the same in words. Without boundaries, or when the map does not come, the words
 * and the zip codes are what there is.
 */
export function AreaSection({ hub, zip, children }: AreaSectionProps) {
  const { data: map, isPending, failureCount } = useQuery(hubMapQuery(hub.id));
  const isKnown = useLatch(!isPending || failureCount > 0);
  const areas = map ? areaByState(map.labels) : [];
  const drawn = map !== undefined && map.boundary !== "";
  const zips = hub.accessibleZipCodes;
  return (
    <>
      <section className={s.area} aria-labelledby="area">
        <h2 id="area">Where it delivers</h2>
        {(drawn || isPending) && (
          <div className={look.box}>{map && <MovableMap map={map} name={hub.name} zip={zip} />}</div>
        )}
        {areas.length > 0 && (
          <ul className={s.states}>
            {areas.map((area) => (
              <li key={area.state}>
                <strong>{area.state}</strong> {formatArea(area)}
              </li>
            ))}
          </ul>
        )}
        {isKnown && zips.length > 0 && (
          <details key={String(drawn)} className={s.zips} open={!drawn}>
            <summary>{zips.length === 1 ? "1 zip code" : `All ${zips.length} zip codes`}</summary>
            <ul>
              {zips.map((one) => (
                <li key={one}>{one === zip ? <Chip>{one}</Chip> : one}</li>
              ))}
            </ul>
          </details>
        )}
        {isKnown && !drawn && zips.length === 0 && <p>Check below whether it delivers to your zip code.</p>}
      </section>
      {isKnown && children}
    </>
  );
}

/** The drawing at once; the map one can move in its place as soon as its code is here, if it comes. */
function MovableMap({ map, name, zip }: { map: HubMapData; name: string; zip: string | null }) {
  const label = `Map of where ${name} delivers`;
  const drawing = <HubMapDrawing map={map} label={label} />;
  const spot = map.zips.find(({ zipCode }) => zipCode === zip) ?? null;
  return (
    <AsyncBoundary waiting={drawing} instead={drawing}>
      <HubMap map={map} label={label} spot={spot} />
    </AsyncBoundary>
  );
}
