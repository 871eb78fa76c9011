import { useMarketNow } from "@marketday/client/clock.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { Hub, PickupPoint } from "@marketday/contracts/hubs";
import { ButtonLink } from "@marketday/ui/button.tsx";
import { CalendarLeaf } from "@marketday/ui/calendar-leaf.tsx";
import { Chip } from "@marketday/ui/chip.tsx";
import { cx } from "@marketday/ui/cx.ts";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { Panel } from "@marketday/ui/panel.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Navigate, useParams } from "react-router";

import { useTitle } from "../../lib/use-title.ts";
import { paths } from "../../navigation/paths.ts";
import { useShopper } from "../session/api.ts";
import { hubQuery } from "./api.ts";
import { AreaSection } from "./area-section.tsx";
import { HubFacts, SpecialHub } from "./hub-facts.tsx";
import { HubWeek } from "./hub-week.tsx";
import { ShopHereButton } from "./shop-here-button.tsx";
import { ZipChecker } from "./zip-checker.tsx";

import s from "./hub-page.module.css";

/** A market's details (spec §2.1 /hubs/{id}): where it delivers, on which day, until when, for how much. */
export default function HubPage() {
  const { id: text = "" } = useParams();
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
  const { data: hub, error, refetch } = useQuery(hubQuery(id));
  useTitle(hub?.name ?? null);

  if (id === null || (error instanceof ApiError && (error.status === 404 || error.status === 400)))
    return <Navigate to={paths.notFound} replace />;
  if (hub) return <Details key={hub.id} hub={hub} />;
  return (
    <div className={cx(s.page, !error && s.pending)}>
      <h1 className="sr">Market</h1>
      {error ? (
        <ErrorState message={error.message} onRetry={() => void refetch()} />
      ) : (
        <Skeleton label="market">
          <SkeletonPart kind="title" width="half" />
          <SkeletonPart kind="row" />
          <SkeletonPart kind="wide" />
        </Skeleton>
      )}
    </div>
  );
}

function Details({ hub }: { hub: Hub }) {
  const { hubId } = useShopper();
  const isHere = hub.id === hubId;
  const now = useMarketNow();
  const [zip, setZip] = useState<string | null>(null);
  return (
    <div className={s.page}>
      <Link to={paths.hubs} className={s.back}>
        <Icon name="back" size="sm" />
        All markets
      </Link>
      <div className={s.head}>
        {hub.nextDeliveryDate && <CalendarLeaf date={hub.nextDeliveryDate} />}
        <div>
          <h1>{hub.name}</h1>
          <p className={s.place}>
            {hub.city}, {hub.state}
          </p>
        </div>
        {isHere && <Chip>Your market</Chip>}
      </div>
      {hub.description && <p className={s.description}>{hub.description}</p>}
      <Panel as="section" label="This week">
        <div className={s.week}>
          <HubFacts hub={hub} explained />
          <HubWeek hub={hub} now={now} brief />
          <SpecialHub hub={hub} />
          <div className={s.shop}>
            {isHere ? (
              <ButtonLink to={paths.shop} size="lg">
                Go to the shop
              </ButtonLink>
            ) : (
              <ShopHereButton hub={hub} size="lg" />
            )}
          </div>
        </div>
      </Panel>
      <AreaSection hub={hub} zip={zip}>
        <div className={s.columns}>
          <ZipChecker hub={hub} onAnswer={setZip} />
          <Pickup points={hub.pickupPoints} />
        </div>
      </AreaSection>
    </div>
  );
}

function Pickup({ points }: { points: PickupPoint[] }) {
  if (points.length === 0) return null;
  return (
    <section className={s.pickup} aria-labelledby="pickup">
      <h2 id="pickup">Or pick it up</h2>
      <ul>
        {points.map(({ id, name, address, city, state, zipCode, hours }) => (
          <li key={id}>
            <Icon name="pin" />
            <p>
              <strong>{name}</strong>
              <span>
                {address}, {city}, {state} {zipCode}
              </span>
              <span>{hours}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
