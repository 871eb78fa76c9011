import type { DaySheets } from "@marketday/contracts/admin/days";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { ToteTag } from "@marketday/ui/admin/tote-tag.tsx";
import { ButtonLink } from "@marketday/ui/button.tsx";
import { Link } from "@marketday/ui/link.tsx";

import * as t from "#messages/day";

import { sheetUrl } from "./api.ts";
import { totesOf } from "./format.ts";

import s from "./day.module.css";

/** Labels are separate files, for other paper. */
const [AVERY, ZEBRA] = ["-labels-avery-5160.pdf", "-labels.zpl"];

/** Only what the newest version changed, to print instead of everything: its totes, the sheets and their labels. */
export function ChangedSheets({ day }: { day: DaySheets }) {
  const [newest, ...older] = day.versions;
  const made = older.filter(({ madeAt }) => madeAt !== null);
  const [previous, ...earlier] = made;
  if (!newest || !previous) return null;
  const file = (since: number, rest = ".pdf") => {
    const name = `changed-since-${since}${rest}`;
    return day.files.includes(name) ? sheetUrl(day, newest.version, name) : null;
  };
  // Versions between the two whose sheets were not made changed something as well.
  const between = day.versions.filter(({ version }) => version > previous.version);
  const totes = totesOf(between.flatMap(({ changes }) => changes ?? []));
  const [pdf, avery, zpl] = [".pdf", AVERY, ZEBRA].map((rest) => file(previous.version, rest));
  return (
    <section className={s.section} aria-labelledby="day-changed">
      <h2 id="day-changed">{t.onlyChanges}</h2>
      <p>{totes.length > 0 ? t.changedSince(previous.version, totes.length) : t.nothingChanged(previous.version)}</p>
      {totes.length > 0 && (
        <ul className={s.totes} aria-label={t.changedTotes}>
          {totes.map((tote) => (
            <li key={tote}>
              <ToteTag number={tote} />
            </li>
          ))}
        </ul>
      )}
      <Compact>
        <div className={s.buttons}>
          {pdf && (
            <ButtonLink kind="outline" icon="print" to={pdf} target="_blank">
              {t.printChanges}
            </ButtonLink>
          )}
          {avery && (
            <ButtonLink kind="outline" to={avery} target="_blank">
              {t.printChangedLabels}
            </ButtonLink>
          )}
          {zpl && (
            <ButtonLink kind="quiet" to={zpl} target="_blank">
              {t.zebra(t.printChangedLabels)}
            </ButtonLink>
          )}
        </div>
      </Compact>
      {earlier.length > 0 && (
        <div className={s.older}>
          <p>{t.olderPaper}</p>
          <ul>
            {earlier.map(({ version }) => (
              <li key={version}>
                <Link to={file(version)!} target="_blank" className={s.link}>
                  {t.printChangesSince(version)}
                </Link>
                {file(version, AVERY) && (
                  <Link to={file(version, AVERY)!} target="_blank" className={s.link}>
                    {t.printChangedLabelsSince(version)}
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
