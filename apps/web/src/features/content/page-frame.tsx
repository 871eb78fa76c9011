import { DialogBody } from "@marketday/ui/dialog.tsx";

import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { FrameOverlay } from "../frame-host/frame-overlay.tsx";

/** A page of words in its frame, under the dialog's own bar (spec §2.4 External pages in in-app frames). */
export function PageFrame({ title, src }: { title: string; src: string }) {
  const { back } = useNavigation();
  useTitle(title);
  return (
    <DialogBody fill>
      <FrameOverlay
        title={title}
        src={src}
        opening={`Opening ${title}…`}
        onMessage={({ kind }) => {
          if (kind === "close-with-refresh" || kind === "close-without-refresh") back();
        }}
      />
    </DialogBody>
  );
}
