import { useMarketNow } from "@marketday/client/clock.ts";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { type ReactNode, useId } from "react";

import * as t from "#messages/shorts";

import type { DayItem, DayShorts, Shortage } from "./api.ts";
import { CountEditor } from "./count-editor.tsx";
import { applyShares, type Draft } from "./count-form.ts";
import { Came, CountedNote, DetailHead } from "./detail-head.tsx";
import { formatTime } from "./format.ts";
import { Countdown, UndoButton } from "./held-note.tsx";
import { ShareTable } from "./share-table.tsx";
import type { Drafts } from "./use-drafts.ts";
import { usePlan } from "./use-plan.ts";
import type { ShortWrites } from "./use-short-writes.ts";

import s from "./short-detail.module.css";

interface ShortDetailProps {
  day: DayShorts;
  item: DayItem;
  /** The shortage that is not settled, else the last one that is. */
  shortage: Shortage | undefined;
  draft: Draft | undefined;
  /** What is left after it was settled is counted again. */
  isRecount: boolean;
  onRecount: () => void;
  drafts: Drafts;
  writes: ShortWrites;
  onSettled: () => void;
  /** Goes back to its row. */
  onLeave: () => void;
  /** The way back to the list, where it is not beside this. */
  back: ReactNode;
}

/** One item: how many came, what each box gets and what that costs; held, with a way back; settled. */
export function ShortDetail(props: ShortDetailProps) {
  const { day, item, shortage, draft, isRecount, drafts, writes, onSettled, onLeave, back } = props;
  if (shortage?.state === "held") return <Held {...props} shortage={shortage} />;
  if (shortage?.state === "settled" && !draft && !isRecount) return <Settled {...props} shortage={shortage} />;
  return (
    <CountEditor
      day={day}
      item={item}
      saved={shortage?.state === "counted" ? shortage : undefined}
      settled={shortage?.state === "settled" ? shortage : undefined}
      draft={draft}
      drafts={drafts}
      writes={writes}
      onSettled={onSettled}
      onLeave={onLeave}
      back={back}
    />
  );
}

type SavedProps = ShortDetailProps & { shortage: Shortage };

function Held({ day, item, shortage, draft, drafts, back }: SavedProps) {
  const { action, came, of, variantId, gets, refundTo, bearer } = shortage;
  const { plan } = usePlan(day.hub.slug, day.day, { variantId, came, of, gets, refundTo, bearer });
  return (
    <div className={s.detail}>
      <DetailHead
        item={item}
        number={<Came came={came} of={of} />}
        came={came}
        of={of}
        note={<CountedNote day={day} shortage={shortage} />}
        back={back}
      />
      {action && (
        <div className={s.held}>
          <div>
            <strong>{action.dueAt && <Countdown dueAt={action.dueAt} />}</strong>
            <p>{action.isOwn ? t.heldByYou : t.heldBy(action.by)}</p>
          </div>
          {action.canUndo && <UndoButton action={action} title={item.title} kind="primary" />}
        </div>
      )}
      {draft && (
        <div className={s.notice}>
          <Banner
            tone="information"
            action={
              <Compact size="sm">
                <Button kind="outline" onClick={() => drafts.discard(variantId)}>
                  {t.discard}
                </Button>
              </Compact>
            }
          >
            {t.typedMeanwhile(t.cameOf(draft.form.came, of))}
          </Banner>
        </div>
      )}
      {plan && (
        <ShareTable boxes={applyShares(plan.shares, came, gets)} hubId={day.hub.id} zone={day.hub.timeZone} isCurrent />
      )}
      <Facts shortage={shortage} item={item} />
    </div>
  );
}

function Settled({ day, item, shortage, onRecount, back }: SavedProps) {
  const now = useMarketNow();
  const { came, of, settledAt, settledBy } = shortage;
  const time = settledAt && formatTime(settledAt, day.hub.timeZone, now);
  return (
    <div className={s.detail}>
      <DetailHead
        item={item}
        number={<Came came={came} of={of} />}
        came={came}
        of={of}
        note={<CountedNote day={day} shortage={shortage} />}
        back={back}
      />
      <div className={s.settled}>
        <div>
          <strong>{t.settledHeading}</strong>
          {time && <p>{settledBy ? t.settledBy(settledBy, time) : t.settledAt(time)}</p>}
        </div>
        {item.ordered > 0 && (
          <div>
            <p>{t.countAgainHelp(item.ordered)}</p>
            <Compact size="sm">
              <Button kind="outline" onClick={onRecount}>
                {t.countAgain}
              </Button>
            </Compact>
          </div>
        )}
      </div>
      <Facts shortage={shortage} item={item} />
    </div>
  );
}

/** What the action did, or is about to do. */
function Facts({ shortage: { action, bearer, refundTo }, item }: { shortage: Shortage; item: DayItem }) {
  const id = useId();
  const summary = action?.summary;
  if (summary?.kind !== "short") return null;
  return (
    <section className={s.facts} aria-labelledby={id}>
      <h3 id={id}>{t.facts}</h3>
      <dl>
        {[
          [t.boxesFact, summary.boxes],
          [t.moneyBack, formatMoney(summary.back)],
          [t.refundTo, t.refundToOptions[refundTo]],
          [t.whoPays, bearer === "vendor" ? item.vendor.name : t.market],
          [t.emailsFact, summary.mails],
        ].map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
