import { roundToHalf, starParts } from "@marketday/domain/review";

import * as t from "#messages";

import { cx } from "./cx.ts";

import s from "./stars.module.css";

interface StarsProps {
  /** 0 to 5; shown to the nearest half. */
  rating: number;
  /** How many people; left out where it is one person's review. */
  count?: number;
}

const places = [0, 1, 2, 3, 4];

/** Five stars in their places, each whole, half or empty; `lg` is what a finger sets. */
export function StarShapes({ rating, size = "sm" }: { rating: number; size?: "sm" | "lg" }) {
  const parts = starParts(rating);
  return places.map((place) => (
    <svg key={place} className={cx(s.star, s[size])} aria-hidden="true">
      <use href="#i-star" className={parts[place] === "full" ? s.full : s.empty} />
      {parts[place] === "half" && <use href="#i-star-half" className={s.full} />}
    </svg>
  ));
}

/** Stars with real half shapes. Read out as "4.5 out of 5 stars, 38 reviews". */
export function Stars({ rating, count }: StarsProps) {
  const shown = roundToHalf(rating);
  const words = count === undefined ? t.stars(shown) : t.starsOfReviews(shown, count);
  return (
    <span className={s.stars} role="img" aria-label={words}>
      <StarShapes rating={rating} />
    </span>
  );
}
