import type { DaySheets } from "@marketday/contracts/admin/days";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Link } from "@marketday/ui/link.tsx";

import * as t from "#messages/day";

import { sheetUrl } from "./api.ts";

import s from "./day.module.css";

type Sheet = keyof typeof t.sheetNames;

/** Who needs which sheets, in the order of the work. */
const groups: readonly { title: string; sheets: readonly Sheet[] }[] = [
  { title: t.forOlderPaper, sheets: ["changes"] },
  { title: t.forVendors, sheets: ["pick-sheets"] },
  { title: t.forPackers, sheets: ["fill-sheets", "pack-lists"] },
  { title: t.forLabels, sheets: ["labels-avery-5160", "labels"] },
  { title: t.forDrivers, sheets: ["load-lists", "driver-sheets"] },
];
const endings = ["pdf", "zpl", "csv"] as const;

/** The files of the newest version, by who needs them. Each opens or downloads at its own link. */
export function SheetList({ day, version }: { day: DaySheets; version: number }) {
  const files = new Set(day.files);
  const shown = groups
    .map(({ title, sheets }) => ({
      title,
      sheets: sheets
        .map((sheet) => ({ sheet, endings: endings.filter((ending) => files.has(`${sheet}.${ending}`)) }))
        .filter((each) => each.endings.length > 0),
    }))
    .filter(({ sheets }) => sheets.length > 0);
  return (
    <section className={s.section} aria-labelledby="day-sheets">
      <div className={s.titled}>
        <h2 id="day-sheets">{t.sheetsOfVersion(version)}</h2>
        {day.isStale && <StatusMark shape="due">{t.outOfDate}</StatusMark>}
      </div>
      <dl className={s.groups}>
        {shown.map(({ title, sheets }) => (
          <div key={title} className={s.group}>
            <dt>{title}</dt>
            {sheets.map(({ sheet, endings }) => (
              <dd key={sheet} className={s.sheet}>
                <span className={s.sheetWords}>
                  <b>{t.sheetNames[sheet]}</b>
                  <small>{t.sheetNotes[sheet]}</small>
                </span>
                <span className={s.files}>
                  {endings.map((ending) => (
                    <FileLink
                      key={ending}
                      url={sheetUrl(day, version, `${sheet}.${ending}`)}
                      name={t.sheetNames[sheet]}
                      ending={ending}
                    />
                  ))}
                </span>
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A PDF opens in a tab, where it is printed; other files are downloads. */
const FileLink = ({ url, name, ending }: { url: string; name: string; ending: (typeof endings)[number] }) => (
  <Link
    to={url}
    target="_blank"
    className={s.file}
    data-kind={ending}
    aria-label={ending === "pdf" ? t.openPdf(name) : t.download(name, t.endings[ending])}
  >
    {t.endings[ending]}
  </Link>
);
