import { PROBLEM_PHOTOS_MAX } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";

import { shrink } from "./shrink.ts";

import s from "./photo-picker.module.css";

/** A photo that is going to be sent. */
export interface Photo {
  id: number;
  blob: Blob;
  /** For the picture of it. */
  url: string;
}

interface PhotoPickerProps {
  photos: readonly Photo[];
  disabled: boolean;
  onChange: (photos: Photo[]) => void;
}

let last = 0;

/** Up to four photos, seen before they are sent. */
export function PhotoPicker({ photos, disabled, onChange }: PhotoPickerProps) {
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  // Object URLs are revoked when the picker unmounts.
  const forget = useEffectEvent(() => photos.forEach(({ url }) => URL.revokeObjectURL(url)));
  useEffect(() => () => forget(), []);
  // One may be removed while others are read.
  const current = useRef(photos);
  useEffect(() => void (current.current = photos));
  const left = PROBLEM_PHOTOS_MAX - photos.length;

  const add = async (files: File[]) => {
    setBusy(true);
    setError(files.length > left ? `At most ${PROBLEM_PHOTOS_MAX} photos` : null);
    const added: Photo[] = [];
    for (const file of files.slice(0, left)) {
      try {
        const blob = await shrink(file);
        added.push({ id: ++last, blob, url: URL.createObjectURL(blob) });
      } catch {
        setError(`${file.name} isn't an image this browser can open`);
      }
    }
    setBusy(false);
    onChange([...current.current, ...added]);
  };
  const remove = ({ id, url }: Photo) => {
    URL.revokeObjectURL(url);
    setError(null);
    onChange(photos.filter((photo) => photo.id !== id));
  };
  return (
    <div className={s.picker}>
      {photos.length > 0 && (
        <ul className={s.photos} aria-label="Photos">
          {photos.map((photo, place) => (
            <li key={photo.id} className={s.photo}>
              <img src={photo.url} alt={`${place + 1}`} />
              {!disabled && (
                <IconButton icon="close" floating label={`Remove photo ${place + 1}`} onClick={() => remove(photo)} />
              )}
            </li>
          ))}
        </ul>
      )}
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        multiple
        hidden
        tabIndex={-1}
        aria-label="Photos to add"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = "";
          if (files.length > 0) void add(files);
        }}
      />
      <div>
        <Button
          kind="outline"
          icon="plus"
          disabled={disabled || left === 0}
          busy={busy && "Reading…"}
          aria-describedby={error ? errorId : undefined}
          onClick={() => input.current?.click()}
        >
          {left === PROBLEM_PHOTOS_MAX
            ? "Add photos"
            : left === 0
              ? "You can add up to four photos"
              : "Add another photo"}
        </Button>
      </div>
      {error && (
        <p id={errorId} role="alert" className={s.error}>
          {error}
        </p>
      )}
    </div>
  );
}
