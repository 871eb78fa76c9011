import * as t from "#messages/today";

import s from "./today.module.css";

const WIDTH = 84;

/** Orders so far, this week over last week, as two lengths. The words beside them have the difference. */
export function Pace({ thisWeek, lastWeek }: { thisWeek: number; lastWeek: number }) {
  const most = Math.max(thisWeek, lastWeek, 1);
  const length = (count: number) => Math.max((count / most) * WIDTH, 2);
  return (
    <svg className={s.pace} viewBox={`0 0 ${WIDTH} 22`} role="img" aria-label={t.pace(thisWeek, lastWeek)}>
      <rect className={s.paceNow} y="2" width={length(thisWeek)} height="8" rx="2" />
      <rect className={s.paceThen} y="13" width={length(lastWeek)} height="6" rx="2" />
    </svg>
  );
}
