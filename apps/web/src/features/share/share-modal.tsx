import { TOAST_LINK_COPIED_MS } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { MenuLink, MenuRow, MenuRows } from "@marketday/ui/menu-rows.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import { useEffect, useRef, useState } from "react";

import { messages } from "../../lib/messages.ts";
import type { ModalProps, Modal } from "../../navigation/modals.ts";
import { shareTargets, shareUrl } from "./targets.ts";

import s from "./share-modal.module.css";

/** Six rows: four services, Copy Link, Cancel (spec §2.4 Share action sheet). */
export default function ShareModal({ modal, onDone }: ModalProps<Extract<Modal, { kind: "share" }>>) {
  const [byHand, setByHand] = useState(false);
  const { title, path, picture } = modal;
  const url = shareUrl(path, location.origin);
  const media = picture && shareUrl(`${picture}/960.jpg`, location.origin);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      toast({ text: messages.linkCopied, duration: TOAST_LINK_COPIED_MS });
      onDone();
    } catch {
      // No clipboard for us (an old browser, no https): the address to copy by hand.
      setByHand(true);
    }
  };

  return (
    <DialogBody>
      <div className={s.share}>
        <DialogTitle>Share {title}</DialogTitle>
        <MenuRows>
          {shareTargets(url, title, media).map(({ name, mark, href }) => (
            <MenuLink
              key={name}
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              onClick={onDone}
              mark={
                <span className={s.mark} aria-hidden="true">
                  {mark}
                </span>
              }
            >
              {name}
              <VisuallyHidden>, opens a new tab</VisuallyHidden>
            </MenuLink>
          ))}
          <MenuRow
            onClick={() => void copy()}
            mark={
              <span className={s.mark}>
                <Icon name="share" size="sm" />
              </span>
            }
          >
            Copy Link
          </MenuRow>
        </MenuRows>
        {byHand && <ByHand url={url} />}
        <Button kind="outline" size="lg" wide onClick={onDone}>
          Cancel
        </Button>
      </div>
    </DialogBody>
  );
}

function ByHand({ url }: { url: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <Field label="Copy this address">
      <TextInput ref={field} readOnly value={url} onFocus={(event) => event.target.select()} />
    </Field>
  );
}
