import { DialogTitle } from "@marketday/ui/dialog.tsx";

import { useNavigation } from "../../navigation/overlays.ts";
import { CartPanel } from "./cart-panel.tsx";

/** The cart where there is no side panel. */
export default function CartModal() {
  const { close } = useNavigation();
  return (
    <>
      <DialogTitle>Your cart</DialogTitle>
      <CartPanel onContinue={close} />
    </>
  );
}
