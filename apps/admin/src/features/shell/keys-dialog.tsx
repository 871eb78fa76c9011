import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { Fragment } from "react";

import * as t from "#messages/shell";

import { capsOf, hasModifier, setShortcutsOff, type Shortcut, useRegistered, useShortcutsOff } from "./shortcuts.ts";

import s from "./keys-dialog.module.css";

/** The keys of the screen that is shown and of the frame, and whether single keys work in this browser. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const all = useRegistered();
  const areOff = useShortcutsOff();
  const here = all.flatMap(({ list, isFrame }) => (isFrame ? [] : list));
  const everywhere = all.flatMap(({ list, isFrame }) => (isFrame ? list : []));
  return (
    <Dialog onClose={onClose}>
      <DialogTitle>{t.keysTitle}</DialogTitle>
      <DialogBody>
        <Stack gap={5}>
          {here.length > 0 && <Keys title={t.keysHere} list={here} areOff={areOff} />}
          <Keys title={t.keysEverywhere} list={everywhere} areOff={areOff} />
          <div className={s.switch}>
            <Checkbox checked={!areOff} onChange={({ target }) => setShortcutsOff(!target.checked)}>
              {t.keysOn}
            </Checkbox>
            <p className={s.hint}>{t.keysOnHint}</p>
          </div>
        </Stack>
      </DialogBody>
    </Dialog>
  );
}

interface KeysProps {
  title: string;
  list: readonly Shortcut[];
  areOff: boolean;
}

const Keys = ({ title, list, areOff }: KeysProps) => (
  <section>
    <h3 className={s.title}>{title}</h3>
    <dl className={s.list}>
      {list.map((shortcut) => (
        <div key={shortcut.keys} className={s.row} data-off={areOff && !hasModifier(shortcut.keys) ? "" : undefined}>
          <dt>{shortcut.label}</dt>
          <dd className={s.caps}>
            {capsOf(shortcut).map((cap, at) => (
              <Fragment key={cap}>
                {at > 0 && <span className={s.then}>{t.keyThen}</span>}
                <Kbd keys={cap} />
              </Fragment>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
