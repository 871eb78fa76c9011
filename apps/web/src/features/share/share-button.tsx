import { IconButton } from "@marketday/ui/icon-button.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useId } from "react";

import { useNavigation } from "../../navigation/overlays.ts";
import { shareUrl } from "./targets.ts";

export interface Shared {
  /** What is shared, as in the message. */
  title: string;
  /** Its address on our site: "/product/eggs". */
  path: string;
  /** The `url` of its picture, for those who show one. */
  picture?: string | undefined;
}

/** Hands a link on: through the device's own sheet where it has one, else through ours (spec §2.4 Share action sheet). */
export function ShareButton({ title, path, picture }: Shared) {
  const { openModal } = useNavigation();
  const id = useId();
  const share = async () => {
    if (!navigator.share) return openModal({ kind: "share", title, path, ...(picture ? { picture } : {}) }, id);
    try {
      await navigator.share({ title, url: shareUrl(path, location.origin) });
    } catch (error) {
      // Putting the sheet away is no failure.
      if (!(error instanceof DOMException && error.name === "AbortError"))
        toast({ text: "We couldn't share this.", tone: "error" });
    }
  };
  return <IconButton id={id} icon="share" label={`Share ${title}`} onClick={() => void share()} />;
}
