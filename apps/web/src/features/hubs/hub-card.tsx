import type { Hub } from "@marketday/contracts/hubs";
import { ButtonLink } from "@marketday/ui/button.tsx";
import { CalendarLeaf } from "@marketday/ui/calendar-leaf.tsx";
import { Chip } from "@marketday/ui/chip.tsx";
import { Panel } from "@marketday/ui/panel.tsx";
import { SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useNear } from "@marketday/ui/use-near.ts";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";

import { paths } from "../../navigation/paths.ts";
import { hubMapQuery } from "./area-api.ts";
import { HubFacts, SpecialHub } from "./hub-facts.tsx";
import { HubMapDrawing } from "./hub-map-drawing.tsx";
import { ShopHereButton } from "./shop-here-button.tsx";

import s from "./hub-card.module.css";

/** A market to choose: where, when, for how much, and its area drawn small. */
export function HubCard({ hub, isHere }: { hub: Hub; isHere: boolean }) {
  const { id, name, city, state, nextDeliveryDate } = hub;
  return (
    <Panel as="article" padded={false}>
      <div className={s.card}>
        <MiniMap id={id} />
        <div className={s.words}>
          <div className={s.head}>
            {nextDeliveryDate && <CalendarLeaf date={nextDeliveryDate} />}
            <div>
              <h2 className={s.name}>{name}</h2>
              <p className={s.place}>
                {city}, {state}
              </p>
            </div>
            {isHere && <Chip>Your market</Chip>}
          </div>
          <HubFacts hub={hub} />
          <SpecialHub hub={hub} />
          <div className={s.buttons}>
            <ShopHereButton hub={hub} kind="outline" />
            <ButtonLink to={paths.hub(id)} kind="quiet">
              Details<VisuallyHidden> of {name}</VisuallyHidden>
            </ButtonLink>
          </div>
        </div>
      </div>
    </Panel>
  );
}

/** The map is fetched when the card comes near the viewport. */
function MiniMap({ id }: { id: number }) {
  const box = useRef<HTMLDivElement>(null);
  const near = useNear(box, false);
  const { data: map } = useQuery({ ...hubMapQuery(id), enabled: near });
  return (
    <div ref={box} className={s.map}>
      {map && <HubMapDrawing map={map} />}
    </div>
  );
}

export const HubCardBones = () => (
  <Panel padded={false}>
    <div className={s.card}>
      <div className={s.map} />
      <div className={s.words}>
        <div className={s.bones}>
          <SkeletonPart kind="title" width="half" />
          <SkeletonPart kind="line" width="third" />
        </div>
        <SkeletonPart kind="row" />
        <div className={s.buttons}>
          <SkeletonPart kind="chip" />
          <SkeletonPart kind="chip" />
        </div>
      </div>
    </div>
  </Panel>
);
