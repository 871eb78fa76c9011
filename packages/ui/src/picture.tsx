import { pictureSet } from "@marketday/domain/picture";
import { useLayoutEffect, useRef } from "react";

import { cx } from "./cx.ts";
import { groundColours } from "./thumbhash.ts";
import { useNear } from "./use-near.ts";

import s from "./picture.module.css";

/** A picture as the wire has it; its sizes are at `{url}/{width}.{avif|webp|jpg}`. */
export interface PictureData {
  url: string;
  alt: string;
  thumbhash: string;
}

const heights = { square: 480, wide: 270, band: 192 } as const;

interface PictureProps {
  picture: PictureData | null | undefined;
  /** The width it is shown at, as in the `sizes` attribute: "(min-width: 1280px) 201px, 45vw". */
  sizes: string;
  /** Overrides the picture's own words; "" where the words stand beside it. */
  alt?: string;
  /** `first` for the one that decides when the page looks ready, `eager` for its row. */
  priority?: "first" | "eager";
  /** `wide` 16 to 9, `band` 5 to 2: the head of a stall. */
  ratio?: "square" | "wide" | "band";
}

/** A responsive picture in a box of fixed ratio; near the view the box has the picture's own ground colours until it is there. */
export function Picture({ picture, sizes, alt, priority, ratio = "square" }: PictureProps) {
  const box = useRef<HTMLSpanElement>(null);
  const near = useNear(box, priority !== undefined);
  const hash = picture?.thumbhash;
  useLayoutEffect(() => {
    const colours = near && hash ? groundColours(hash) : null;
    // Through the object model: a style attribute would not pass the content security policy.
    if (colours) box.current?.style.setProperty("background", `linear-gradient(135deg, ${colours[0]}, ${colours[1]})`);
  }, [near, hash]);

  return (
    <span ref={box} className={cx(s.box, s[ratio])}>
      {picture && near && (
        <picture>
          <source type="image/avif" srcSet={pictureSet(picture.url, "avif")} sizes={sizes} />
          <source type="image/webp" srcSet={pictureSet(picture.url, "webp")} sizes={sizes} />
          <img
            className={s.image}
            src={`${picture.url}/480.jpg`}
            srcSet={pictureSet(picture.url, "jpg")}
            sizes={sizes}
            alt={alt ?? picture.alt}
            width={480}
            height={heights[ratio]}
            fetchPriority={priority === "first" ? "high" : undefined}
            decoding="async"
          />
        </picture>
      )}
    </span>
  );
}
