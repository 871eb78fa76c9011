import { DialogTitle } from "@marketday/ui/dialog.tsx";

import { useNavigation } from "../../navigation/use-navigation.tsx";
import { CartPanel } from "./cart-panel.tsx";

import s from "./cart-modal.module.css";

/** The cart where there is no side panel. */
export default function CartModal() {
  const { close } = useNavigation();
  return (
    <>
      <div className={s.title}>
        <DialogTitle>Your cart</DialogTitle>
      </div>
      <CartPanel onContinue={close} />
    </>
  );
}
