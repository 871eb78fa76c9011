import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";

import { messages } from "../../lib/messages.ts";
import type { ModalProps, AccountReason, Modal } from "../../navigation/modals.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { onward } from "./finish.ts";

import s from "./need-account-modal.module.css";

const reasons: Record<AccountReason, { title: string; words: string }> = {
  favorite: { title: messages.favoritesNeedAccount, words: "It's free. Your favorites are saved in Quick Shop." },
  review: {
    title: "Log in to leave a review",
    words: "Reviews show a shopper’s first name. An account is free, and you'll come right back here.",
  },
  question: {
    title: "Log in to ask a question",
    words: "The stall answers you by name. An account is free, and you'll come right back here.",
  },
  message: {
    title: "Log in to message a stall",
    words: "The answer comes to your inbox. An account is free, and you'll come right back here.",
  },
};

/** The message for a guest who starts an action that needs an account (spec §8 Guest favorites, §6). */
export default function NeedAccountModal({ modal, onDone }: ModalProps<Extract<Modal, { kind: "need-account" }>>) {
  const { replaceWithModal } = useNavigation();
  const { title, words } = reasons[modal.why];
  return (
    <DialogBody>
      <div className={s.need}>
        <DialogTitle>{title}</DialogTitle>
        <p>{words}</p>
        <div className={s.buttons}>
          <Button size="lg" wide onClick={() => replaceWithModal({ kind: "register", ...onward(modal.unfinished) })}>
            Sign Up
          </Button>
          <Button kind="outline" size="lg" wide onClick={onDone}>
            Close
          </Button>
        </div>
        <p className={s.other}>
          Have an account?{" "}
          <Button kind="link" onClick={() => replaceWithModal({ kind: "login", ...onward(modal.unfinished) })}>
            Login
          </Button>
        </p>
      </div>
    </DialogBody>
  );
}
