import { useOverlays } from "../../navigation/use-overlays.ts";
import { DialogTitle } from "../../ui/dialog.tsx";
import { CartPanel } from "./cart-panel.tsx";

import s from "./cart-modal.module.css";

/** The cart where there is no side panel. */
export default function CartModal() {
  const { close } = useOverlays();
  return (
    <>
      <div className={s.title}>
        <DialogTitle>Your cart</DialogTitle>
      </div>
      <CartPanel onContinue={close} />
    </>
  );
}
