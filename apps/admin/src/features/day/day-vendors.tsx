import type { DaySheets } from "@marketday/contracts/admin/days";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { useRef } from "react";

import * as t from "#messages/day";

import { useShortcuts } from "../shell/shortcuts.ts";
import { useArrivals } from "./use-arrivals.ts";
import { VendorRow } from "./vendor-row.tsx";

import s from "./vendors.module.css";

/** What each vendor brings, whether they have confirmed it, and whether it is here. */
export function DayVendors({ day }: { day: DaySheets }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { vendors, problem, isPending, set, checkIn, checkingIn } = useArrivals(day);
  const list = useRef<HTMLUListElement>(null);
  // In the list, each control takes them itself (`moveFocus`).
  const enter = () => list.current?.querySelector<HTMLElement>('[data-control="set"], [data-control]')?.focus();
  useShortcuts(
    vendors.length === 0
      ? []
      : [
          { keys: "j", label: t.keyNextVendor, run: enter },
          { keys: "k", label: t.keyPreviousVendor, run: enter },
        ],
  );
  const isFrozen = day.state === "frozen";
  const takesConfirmations = isFrozen || day.state === "open" || day.state === "closing";
  const here = vendors.filter(({ arrived }) => arrived !== null);
  const left = checkingIn ?? vendors.filter(({ arrived }) => arrived === null).map(({ id }) => id);
  const confirmed = vendors.filter((vendor) => vendor.confirmed !== null);
  return (
    <section className={s.vendors} aria-labelledby="day-vendors">
      <div className={s.head}>
        <h2 id="day-vendors" ref={heading} tabIndex={-1}>
          {t.vendorsOfDay}
        </h2>
        {vendors.length > 0 && takesConfirmations && (
          <p className={s.progress}>
            {isFrozen ? t.hereOf(here.length, vendors.length) : t.confirmedOf(confirmed.length, vendors.length)}
          </p>
        )}
        {isFrozen && left.length > 0 && (
          <div className={s.all}>
            <Compact>
              <Button
                kind="outline"
                icon="check"
                busy={checkingIn !== null && t.checkingIn}
                // The button goes with the last vendor.
                onClick={() => void checkIn(left, () => heading.current?.focus())}
              >
                {left.length === vendors.length ? t.allHere(left.length) : t.othersHere(left.length)}
              </Button>
            </Compact>
          </div>
        )}
      </div>
      {problem?.vendorId === null && (
        <p className={s.problem} role="alert">
          {problem.text}
        </p>
      )}
      {vendors.length === 0 ? (
        <div className={s.empty}>
          <p>{t.noVendors}</p>
          <p>{t.noVendorsBody}</p>
        </div>
      ) : (
        <ul ref={list} className={s.list} aria-labelledby="day-vendors">
          {vendors.map((vendor) => (
            <VendorRow
              key={vendor.id}
              day={day}
              vendor={vendor}
              control={isFrozen ? "arrived" : takesConfirmations ? "confirmed" : null}
              isPending={isPending(vendor.id)}
              problem={problem?.vendorId === vendor.id ? problem.text : null}
              onSet={(change) => set(vendor.id, change)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
