import { stateForOverlay } from "@marketday/client/overlays/overlay-stack.ts";
import { StaleNotice } from "@marketday/client/stale-notice.tsx";
import { toSearch } from "@marketday/client/to-search.ts";
import { Button } from "@marketday/ui/button.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { Skeleton } from "@marketday/ui/skeleton.tsx";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";

import { messages } from "../../lib/messages.ts";
import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useShopper } from "../session/api.ts";
import { useVendors } from "./api.ts";
import { LettersRail, letterId } from "./letters-rail.tsx";
import { byLetter } from "./letters.ts";
import { sortOf, type VendorSort, vendorSorts, withSort } from "./sorts.ts";
import { VendorRow, VendorRowBones } from "./vendor-row.tsx";

import s from "./vendors-page.module.css";

/** Every stall of the market (spec §2.1 /vendors): three sorts in the address, a rail of letters where they are sorted by name. */
export default function VendorsPage() {
  useTitle("Browse Local Farms & Artisans");
  useVendorOfAddress();
  const { search } = useLocation();
  const { navigate } = useNavigation();
  const sort = sortOf(search);
  // The address follows a moment later than the finger.
  const [tapped, setTapped] = useState({ search, sort });
  const choose = (next: VendorSort) => {
    setTapped({ search, sort: next });
    void navigate({ pathname: paths.vendors, search: withSort(search, next) });
  };
  return (
    <div className={s.page}>
      <h1>Browse Local Farms &amp; Artisans</h1>
      <RadioChips
        legend="Sort by"
        legendHidden
        chips={vendorSorts}
        value={tapped.search === search ? tapped.sort : sort}
        onChange={choose}
      />
      <Vendors sort={sort} />
    </div>
  );
}

/** `/vendors?id=`: the vendor opens over the list, which stays behind it without the id. */
function useVendorOfAddress() {
  const location = useLocation();
  const { isOverlay, navigate } = useNavigation();
  const isBare = useNavigation(({ layers }) => layers.stack.length === 0);
  const onTop = isBare && !isOverlay(location.pathname);
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    const id = query.get("id")?.trim();
    if (!onTop || !id) return;
    const hashed = query.get("hashed") === "true" ? "?hashed=true" : "";
    query.delete("id");
    query.delete("hashed");
    const page = { ...location, search: toSearch(query), state: null };
    void navigate({ pathname: page.pathname, search: page.search }, { replace: true });
    void navigate(paths.vendor(encodeURIComponent(id)) + hashed, {
      state: stateForOverlay({ page, stack: [], depth: 0, cold: false }, undefined),
    });
    // The address of the moment, once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [location.search, onTop]);
}

function Vendors({ sort }: { sort: VendorSort }) {
  const { hubId, isPending: shopperPending } = useShopper();
  const query = useVendors(sort);
  const { data: vendors, error, refetch } = query;
  const { openModal } = useNavigation();

  if (hubId === null && !shopperPending)
    return (
      <EmptyState
        icon="pin"
        title="Which market delivers to you?"
        action={
          <Button id="vendors-welcome" onClick={() => openModal({ kind: "welcome" }, "vendors-welcome")}>
            Enter your zip code
          </Button>
        }
      >
        Every market has its own stalls and its own day.
      </EmptyState>
    );
  if (!vendors)
    return error ? (
      <ErrorState message={messages.vendorSearch} onRetry={() => void refetch()} />
    ) : (
      <Skeleton label="farms and artisans">
        <div className={s.rows}>
          {Array.from({ length: 8 }, (_, index) => (
            <VendorRowBones key={index} />
          ))}
        </div>
      </Skeleton>
    );
  if (vendors.length === 0)
    return (
      <EmptyState icon="stall" title="The stalls are being set up">
        New farms and artisans arrive through the week.
      </EmptyState>
    );
  if (sort === "popular")
    return (
      <>
        <StaleNotice query={query} />
        <ul className={s.rows}>
          {vendors.map((vendor) => (
            <li key={vendor.id}>
              <VendorRow vendor={vendor} heading="h2" />
            </li>
          ))}
        </ul>
      </>
    );
  const groups = byLetter(vendors);
  return (
    <>
      <StaleNotice query={query} />
      <LettersRail present={groups.map(({ letter }) => letter)} backwards={sort === "desc"} />
      <div className={s.list}>
        <div className={s.groups}>
          {groups.map(({ letter, rows }) => (
            <section key={letter} aria-labelledby={letterId(letter)}>
              <h2 id={letterId(letter)} tabIndex={-1} className={s.letter}>
                {letter}
              </h2>
              <ul className={s.group}>
                {rows.map((vendor) => (
                  <li key={vendor.id}>
                    <VendorRow vendor={vendor} heading="h3" />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </div>
    </>
  );
}
