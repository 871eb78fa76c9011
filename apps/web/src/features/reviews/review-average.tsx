import { Stars } from "@marketday/ui/stars.tsx";

import { tally } from "./tally.ts";

import s from "./review-average.module.css";

interface ReviewAverageProps {
  average: number;
  count: number;
  ratings: number[];
}

/** The average, and how it comes about. */
export const ReviewAverage = ({ average, count, ratings }: ReviewAverageProps) => (
  <div className={s.average}>
    <p className={s.figure}>
      <strong className={s.number}>{average.toFixed(1)}</strong>
      <Stars rating={average} />
      <span className={s.from}>{`from ${count} ${count === 1 ? "person" : "people"}`}</span>
    </p>
    <ul className={s.bars} aria-label="Ratings">
      {tally(ratings).map(({ stars, count, share }) => (
        <li key={stars} className={s.bar}>
          <span>
            {stars}
            <span className="sr"> {stars === 1 ? "star" : "stars"}: </span>
          </span>
          <svg className={s.track} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect className={s.fill} width={share} height="8" />
          </svg>
          <span className={s.count}>{count}</span>
        </li>
      ))}
    </ul>
  </div>
);
