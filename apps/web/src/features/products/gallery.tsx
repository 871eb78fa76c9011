import { pictureSizes } from "@marketday/domain/picture";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { PictureControls } from "@marketday/ui/picture-controls.tsx";
import { Picture, type PictureData } from "@marketday/ui/picture.tsx";
import { type KeyboardEvent, useId, useRef, useState } from "react";

import { useNavigation } from "../../navigation/overlays.ts";

import s from "./gallery.module.css";

interface GalleryProps {
  pictures: PictureData[];
  title: string;
}

/** The pictures of a product: swipe, buttons, arrow keys, a counter, and a look at them large. */
export function Gallery({ pictures, title }: GalleryProps) {
  const rail = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const { openModal } = useNavigation();
  const id = useId();

  const show = (index: number) => {
    const element = rail.current;
    if (!element) return;
    const next = Math.min(Math.max(index, 0), pictures.length - 1);
    element.scrollTo({ left: next * element.clientWidth, behavior: "smooth" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight") show(at + 1);
    else if (event.key === "ArrowLeft") show(at - 1);
    else return;
    event.preventDefault();
  };

  const slide = (picture: PictureData | undefined, first: boolean) => (
    <div key={picture?.url} className={s.slide}>
      <Picture
        picture={picture}
        alt={picture?.alt || title}
        sizes={pictureSizes.product}
        {...(first ? { priority: "first" } : {})}
      />
    </div>
  );
  const larger = (
    <span className={s.larger}>
      <IconButton
        id={id}
        icon="find"
        label="See larger"
        floating
        onClick={() => openModal({ kind: "photos", title, pictures, at }, id)}
      />
    </span>
  );
  if (pictures.length < 2)
    return (
      <div className={s.gallery}>
        {slide(pictures[0], true)}
        {pictures.length === 1 && larger}
      </div>
    );
  return (
    <div className={s.gallery}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it scrolls, so it takes arrow keys */}
      <div
        ref={rail}
        className={s.rail}
        role="group"
        aria-label={`Pictures of ${title}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={(event) => setAt(Math.round(event.currentTarget.scrollLeft / event.currentTarget.clientWidth))}
      >
        {pictures.map((picture, index) => slide(picture, index === 0))}
      </div>
      <PictureControls at={at} count={pictures.length} onShow={show} />
      {larger}
    </div>
  );
}
