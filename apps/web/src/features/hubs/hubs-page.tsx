import { StaleNotice } from "@marketday/client/stale-notice.tsx";
import { HUBS_INTRO } from "@marketday/domain/hub-facts";
import { HUB_SKELETONS, zipDigits } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { Skeleton } from "@marketday/ui/skeleton.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { setItem, getItem } from "../../lib/storage.ts";
import { useTitle } from "../../lib/use-title.ts";
import { knownZip } from "../account/known-zip.ts";
import { useShopper } from "../session/api.ts";
import { hubListQuery } from "./area-api.ts";
import { formatHubCount, hubsForPrefix, maskedZip } from "./format.ts";
import { HubCard, HubCardBones } from "./hub-card.tsx";

import s from "./hubs-page.module.css";

/** From when on waiting is explained, ms. */
const LATE = 8000;
/** Pause after the last digit before the count is announced, ms. */
const SAY_AFTER = 600;

/** Every market there is, the zip first (spec §2.1 /hubs). Needs no market of one's own. */
export default function HubsPage() {
  const { hubId, profile } = useShopper();
  const query = useQuery(hubListQuery);
  const { data: hubs, isError, isFetching, refetch } = query;
  // Coming back from a market's details finds the same list.
  const [typed, setTyped] = useState(() => getItem<string>("session", "hubs-zip"));
  const known = knownZip(profile);
  // The ZIP lists do not have all that an outline delivers to: what was not typed never empties the list.
  const zip = typed ?? (hubs && hubsForPrefix(hubs, known).length > 0 ? known : "");
  useTitle("Markets");
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = hubs && hubsForPrefix(hubs, zip);
  const count = shown?.length;

  const type = (text: string) => {
    const digits = zipDigits(text);
    setTyped(digits);
    setItem("session", "hubs-zip", digits);
  };
  useEffect(() => {
    if (count === undefined || zip === "") return;
    const timer = setTimeout(() => announce(count === 0 ? noMarket(zip) : formatHubCount(count, zip)), SAY_AFTER);
    return () => clearTimeout(timer);
  }, [count, zip]);

  const showAll = (
    <Button
      kind="outline"
      onClick={() => {
        type("");
        // The button goes with its reason.
        heading.current?.focus({ preventScroll: true });
      }}
    >
      Show all markets
    </Button>
  );
  return (
    <div className={s.page}>
      <div className={s.head}>
        <h1 ref={heading} tabIndex={-1}>
          Markets
        </h1>
        <p>{HUBS_INTRO}</p>
      </div>
      <search className={s.filter}>
        <Field
          label="Zip code"
          aside={<span className={s.count}>{count !== undefined && count > 0 && formatHubCount(count, zip)}</span>}
        >
          <TextInput
            inputMode="numeric"
            autoComplete="postal-code"
            enterKeyHint="search"
            value={zip}
            onChange={(event) => type(event.target.value)}
          />
        </Field>
      </search>
      <StaleNotice query={query} />
      {!shown && <Loading failed={isError} busy={isFetching} onRetry={() => void refetch()} />}
      {shown && count === 0 && (
        <EmptyState
          icon="pin"
          title={zip === "" ? "No market is open yet" : noMarket(zip)}
          action={zip !== "" && showAll}
        >
          {zip !== "" && "Some markets have pickup points close to where they deliver."}
        </EmptyState>
      )}
      {shown && shown.length > 0 && (
        <ul className={s.cards} aria-label="Markets">
          {shown.map((hub) => (
            <li key={hub.id}>
              <HubCard hub={hub} isHere={hub.id === hubId} />
            </li>
          ))}
        </ul>
      )}
      {hubs && shown && shown.length > 0 && shown.length < hubs.length && <div>{showAll}</div>}
    </div>
  );
}

const noMarket = (zip: string) => `No market delivers to ${maskedZip(zip)} yet.`;

/** Six boxes; a failed load leaves them (spec §2.1), and when it takes long there is a line and a way on. */
function Loading({ failed, busy, onRetry }: { failed: boolean; busy: boolean; onRetry: () => void }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <div role="status">
        {late && (
          <p className={s.late}>
            The markets are taking a while to load.{" "}
            <Button kind="link" busy={busy && !failed && "Trying…"} onClick={onRetry}>
              Try again
            </Button>
          </p>
        )}
      </div>
      <Skeleton label="markets">
        <div className={s.cards}>
          {Array.from({ length: HUB_SKELETONS }, (_, index) => (
            <HubCardBones key={index} />
          ))}
        </div>
      </Skeleton>
    </>
  );
}
