import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Cluster } from "@marketday/ui/layout.tsx";

import * as t from "#messages/shorts";

import type { Shortage } from "./api.ts";
import type { CountForm } from "./count-form.ts";

import s from "./short-detail.module.css";

interface ConflictBoxProps {
  /** What the person typed. */
  form: CountForm;
  /** What is saved now; undefined: the count was removed. */
  saved: Shortage | undefined;
  ordered: number;
  onKeep: () => void;
  onTake: () => void;
}

/** Someone else has counted the same item: both values, and each is a button. Nothing is sent until one was chosen. */
export function ConflictBox({ form, saved, ordered, onKeep, onTake }: ConflictBoxProps) {
  const yours = valueOf(form.came || "?", ordered, form.gets !== null);
  const theirs = saved ? valueOf(saved.came, saved.of, saved.gets !== null) : t.allCame;
  return (
    <div className={s.notice} role="alert">
      <Banner tone="information" title={saved ? t.conflict(saved.countedBy) : t.conflictRemoved}>
        <p>{t.conflictHelp}</p>
        <Cluster gap={2}>
          <Button kind="outline" onClick={onTake}>
            {t.takeTheirs(theirs)}
          </Button>
          <Button kind="outline" onClick={onKeep}>
            {t.keepYours(yours)}
          </Button>
        </Cluster>
      </Banner>
    </div>
  );
}

const valueOf = (came: number | string, of: number, isByHand: boolean): string =>
  isByHand ? t.withHand(t.cameOf(came, of)) : t.cameOf(came, of);
