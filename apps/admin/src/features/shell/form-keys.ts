import type { KeyboardEvent } from "react";

/** Keys inside of a form of a panel: Esc leaves the form and not the panel, and no letter or arrow acts on the screen behind. */
export const formKeys = (onClose: () => void) => (event: KeyboardEvent) => {
  if (event.key === "Escape" && !event.nativeEvent.isComposing) {
    event.preventDefault();
    onClose();
  } else if (!event.ctrlKey && !event.metaKey) {
    event.nativeEvent.stopPropagation();
  }
};
