import type { Bundle } from "@marketday/contracts/bundles";
import { Picture } from "@marketday/ui/picture.tsx";

import s from "./bundle-picture.module.css";

interface BundlePictureProps {
  bundle: Bundle;
  /** The width it is shown at. */
  sizes: string;
  /** It decides when the view looks ready. */
  first?: boolean;
}

/** The bundle's own picture, or up to four of what is in it. */
export function BundlePicture({ bundle: { image, title, products }, sizes, first }: BundlePictureProps) {
  const priority = first ? { priority: "first" as const } : {};
  if (image) return <Picture picture={image} sizes={sizes} alt={image.alt || title} {...priority} />;
  const pictures = products.flatMap(({ images }) => images.slice(0, 1)).slice(0, 4);
  if (pictures.length < 4) return <Picture picture={pictures[0]} sizes={sizes} alt="" {...priority} />;
  return (
    <span className={s.four}>
      {pictures.map((picture) => (
        <Picture key={picture.url} picture={picture} sizes={sizes} alt="" {...priority} />
      ))}
    </span>
  );
}
