import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Cluster } from "@marketday/ui/layout.tsx";

import * as t from "#messages/shorts";

import type { Shortage } from "./api.ts";
import { tellApart } from "./conflict-words.ts";
import { type CountForm, formOf } from "./count-form.ts";

import s from "./short-detail.module.css";

interface ConflictBoxProps {
  /** What the person typed. */
  form: CountForm;
  /** What is saved now; undefined: the count was removed or settled. */
  saved: Shortage | undefined;
  /** The count that someone settled meanwhile. */
  settled: Shortage | undefined;
  ordered: number;
  onKeep: () => void;
  onTake: () => void;
}

/** Someone else has counted, settled or removed the same item: both values, and each is a button. Nothing is sent until one was chosen. */
export function ConflictBox({ form, saved, settled, ordered, onKeep, onTake }: ConflictBoxProps) {
  const words = wordsOf({ form, saved, settled, ordered });
  return (
    <div className={s.notice} role="alert">
      <Banner tone="information" title={words.title}>
        <p>{words.help}</p>
        <Cluster gap={2}>
          <Button kind="outline" onClick={onTake}>
            {words.take}
          </Button>
          <Button kind="outline" onClick={onKeep}>
            {t.keepYours(words.yours)}
          </Button>
        </Cluster>
      </Banner>
    </div>
  );
}

function wordsOf({ form, saved, settled, ordered }: Omit<ConflictBoxProps, "onKeep" | "onTake">) {
  if (saved)
    return {
      title: t.conflict(saved.countedBy),
      help: t.conflictHelp,
      take: t.takeTheirs(tellApart(formOf(saved), saved.of, form)),
      yours: tellApart(form, ordered, formOf(saved)),
    };
  const yours = t.cameOf(form.came.trim() || "?", ordered);
  if (!settled) return { title: t.conflictRemoved, help: t.conflictHelp, take: t.takeTheirs(t.allCame), yours };
  const by = settled.settledBy ?? settled.action?.by ?? null;
  return {
    title: t.conflictSettled(by, t.cameOf(settled.came, settled.of)),
    help: t.conflictSettledHelp,
    take: t.dropYours,
    yours,
  };
}
