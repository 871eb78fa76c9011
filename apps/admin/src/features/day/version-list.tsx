import { useMarketNow } from "@marketday/client/clock.ts";
import type { DaySheets } from "@marketday/contracts/admin/days";
import type { MarkShape } from "@marketday/ui/admin/mark.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { ToteTag } from "@marketday/ui/admin/tote-tag.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/day";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { sheetUrl } from "./api.ts";
import { type DayChange, formatPlaceChange, formatTime } from "./format.ts";

import s from "./day.module.css";

/** Changes up to which a version shows them without being opened. */
const SHOWN = 12;

const shapes: Record<DayChange["kind"], MarkShape> = {
  cancelled: "off",
  changed: "due",
  added: "due",
  moved: "due",
  rerouted: "due",
  noted: "due",
  collect: "due",
};

/** The versions of a day, newest first, each with what it changed. */
export function VersionList({ day }: { day: DaySheets }) {
  const now = useMarketNow();
  const { timeZone } = day.hub;
  return (
    <section className={s.section} aria-labelledby="day-versions">
      <h2 id="day-versions">{t.versions}</h2>
      <ol className={s.versions}>
        {day.versions.map(({ version, frozenAt, madeAt, drivers, changes }, place) => (
          <li key={version}>
            <h3>{t.version(version)}</h3>
            <p className={s.note}>
              {madeAt === null
                ? t.versionNotMade(formatTime(frozenAt, timeZone, now))
                : [t.versionMade(formatTime(madeAt, timeZone, now)), t.driverCount(drivers ?? 1)].join(", ")}
              {place > 0 && madeAt !== null && (
                <Link to={sheetUrl(day, version, "all-sheets.pdf")} target="_blank" className={s.link}>
                  {t.printAgain(version)}
                </Link>
              )}
            </p>
            <Changes changes={changes} isOpen={place === 0} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Changes({ changes, isOpen }: { changes: readonly DayChange[] | null; isOpen: boolean }) {
  if (changes === null) return <p>{t.firstVersion}</p>;
  if (changes.length === 0) return <p>{t.noChanges}</p>;
  const list = (
    <ul className={s.changes}>
      {changes.map((change) => (
        <li key={`${change.orderId} ${change.kind}`} className={s.change}>
          <ToteTag number={change.tote} />
          <ChangeWords change={change} />
        </li>
      ))}
    </ul>
  );
  if (isOpen && changes.length <= SHOWN) return list;
  return (
    <details>
      <summary>{t.showChanges(changes.length)}</summary>
      {list}
    </details>
  );
}

function ChangeWords({ change }: { change: DayChange }) {
  const { kind, orderId, name, lines, collect } = change;
  const place = formatPlaceChange(change);
  return (
    <div>
      <StatusMark shape={shapes[kind]} quiet>
        {t.kinds[kind]}
      </StatusMark>
      <p className={s.note}>{[name || t.deletedAccount, t.order(formatOrderNumber(orderId))].join(", ")}</p>
      {place !== null && <p>{place}</p>}
      {kind !== "cancelled" &&
        lines.map(({ item, vendor, before, after }) => (
          <p key={`${item} ${vendor}`}>{t.lineChange(item, vendor, before, after)}</p>
        ))}
      {kind !== "cancelled" && collect.before !== collect.after && (
        <p>{t.collectChange(formatMoney(collect.before), formatMoney(collect.after))}</p>
      )}
    </div>
  );
}
