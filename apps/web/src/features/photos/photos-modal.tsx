import { DialogTitle } from "@marketday/ui/dialog.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { PictureControls } from "@marketday/ui/picture-controls.tsx";
import { Picture } from "@marketday/ui/picture.tsx";
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from "react";

import type { ModalProps, Modal } from "../../navigation/modals.ts";
import { useNavigation } from "../../navigation/overlays.ts";

import s from "./photos-modal.module.css";

/** Times as large as the screen. */
const STEPS = [1, 2, 3] as const;

/** The photo slider (spec §2.4): pictures as large as the screen, and larger. Buttons, arrow keys, plus and minus, a tap. */
export default function PhotosModal({
  modal: { title, pictures, at: first },
}: ModalProps<Extract<Modal, { kind: "photos" }>>) {
  const { close } = useNavigation();
  const stage = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(Math.min(Math.max(first, 0), pictures.length - 1));
  const [step, setStep] = useState(0);
  /** What of the picture shall be in the middle after a zoom, as shares of its size. */
  const middle = useRef({ x: 0.5, y: 0.5 });
  const picture = pictures[at];
  const zoom = STEPS[step] ?? 1;

  // After each zoom step the middle is put back where it was.
  useEffect(() => {
    const box = stage.current;
    if (!box) return;
    box.scrollLeft = middle.current.x * box.scrollWidth - box.clientWidth / 2;
    box.scrollTop = middle.current.y * box.scrollHeight - box.clientHeight / 2;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [step]);

  const seen = () => {
    const box = stage.current;
    if (!box) return { x: 0.5, y: 0.5 };
    return {
      x: (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth,
      y: (box.scrollTop + box.clientHeight / 2) / box.scrollHeight,
    };
  };
  const zoomTo = (next: number, point = seen()) => {
    const bounded = Math.min(Math.max(next, 0), STEPS.length - 1);
    if (bounded === step) return;
    middle.current = point;
    setStep(bounded);
    announce(bounded === 0 ? "Whole picture" : `${STEPS[bounded]} times as large`);
  };
  const show = (next: number) => {
    if (next < 0 || next >= pictures.length) return;
    setAt(next);
    setStep(0);
    announce(`Picture ${next + 1} of ${pictures.length}${pictures[next]?.alt ? `: ${pictures[next].alt}` : ""}`);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Zoomed in, the arrows move the picture: the default of a scroll container.
    if (event.key === "ArrowRight" && step === 0) show(at + 1);
    else if (event.key === "ArrowLeft" && step === 0) show(at - 1);
    else if (event.key === "+" || event.key === "=") zoomTo(step + 1);
    else if (event.key === "-") zoomTo(step - 1);
    else if (event.key === "0") zoomTo(0);
    else return;
    event.preventDefault();
  };
  const onClick = ({ currentTarget, clientX, clientY }: MouseEvent) => {
    const box = currentTarget.getBoundingClientRect();
    zoomTo(step === STEPS.length - 1 ? 0 : step + 1, {
      x: (clientX - box.left) / box.width,
      y: (clientY - box.top) / box.height,
    });
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its keys work wherever in the layer the focus is
    <div className={s.photos} onKeyDown={onKeyDown}>
      <DialogTitle hidden>Pictures of {title}</DialogTitle>
      <div
        ref={stage}
        className={s.stage}
        role="group"
        aria-label={picture?.alt || title}
        tabIndex={0}
        data-autofocus=""
      >
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the buttons and keys do the same */}
        <div className={s.sheet} data-zoom={zoom} onClick={onClick}>
          <Picture key={picture?.url} picture={picture} alt={picture?.alt || title} sizes="960px" priority="first" />
        </div>
      </div>
      <div className={s.close}>
        <IconButton icon="close" label="Close" floating onClick={close} />
      </div>
      <PictureControls at={at} count={pictures.length} onShow={show} screen>
        <IconButton
          icon="minus"
          label="Zoom out"
          floating
          aria-disabled={step === 0 || undefined}
          onClick={() => zoomTo(step - 1)}
        />
        <IconButton
          icon="plus"
          label="Zoom in"
          floating
          aria-disabled={step === STEPS.length - 1 || undefined}
          onClick={() => zoomTo(step + 1)}
        />
      </PictureControls>
    </div>
  );
}
