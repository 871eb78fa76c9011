import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { type ReactNode, useState } from "react";

import * as t from "#messages/shorts";

import { useLive } from "../../lib/live.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import type { DayItem, DayShorts, ShortPlan, Shortage } from "./api.ts";
import { CameField } from "./came-field.tsx";
import { ConflictBox } from "./conflict-box.tsx";
import {
  adjustBox,
  applyShares,
  type CountForm,
  countOf,
  type Draft,
  formOf,
  isSameForm,
  parseCame,
  unitsLeft,
} from "./count-form.ts";
import { CutoffNote } from "./cutoff-note.tsx";
import { CAME_ID, CountedNote, DetailHead } from "./detail-head.tsx";
import { ShareTable } from "./share-table.tsx";
import { ShortFoot } from "./short-foot.tsx";
import type { Drafts } from "./use-drafts.ts";
import { usePlan } from "./use-plan.ts";
import type { ShortWrites } from "./use-short-writes.ts";

import s from "./short-detail.module.css";

/** The id of the button that settles. */
export const SETTLE_ID = "short-settle";

interface CountEditorProps {
  day: DayShorts;
  item: DayItem;
  /** What is counted; undefined: nothing yet. */
  saved: Shortage | undefined;
  /** The last count of the item that was settled. */
  settled: Shortage | undefined;
  draft: Draft | undefined;
  drafts: Drafts;
  writes: ShortWrites;
  onSettled: () => void;
  /** Goes back to its row. */
  onLeave: () => void;
  back: ReactNode;
}

/** What the button does, or why it does nothing. */
type Next =
  | { kind: "settle"; label: string }
  | { kind: "save"; label: string }
  | { kind: "remove"; label: string }
  | { kind: "wait"; label: string; reason: string }
  | { kind: "none" };

/** How many came of an item, by which rule the boxes get them, what that costs and who bears it. */
export function CountEditor(props: CountEditorProps) {
  const { day, item, saved, settled, draft, drafts, writes, onSettled, onLeave, back } = props;
  const { variantId, ordered } = item;
  const { status } = useLive();
  const [wasTried, setTried] = useState(false);
  const form = draft?.form ?? formOf(saved);
  const over = draft ? draft.over : (saved?.version ?? null);
  const isConflict = draft !== undefined && over !== (saved?.version ?? null) && !isSameForm(form, formOf(saved));
  const parsed = parseCame(form.came, ordered);
  const came = typeof parsed === "number" ? parsed : ordered;
  const change = (next: Partial<CountForm>) => {
    setTried(false);
    writes.clearFailure(variantId);
    drafts.change(variantId, saved, next);
  };

  // The plan of one unit less names the boxes before anything is typed.
  const isShort = came < ordered;
  const [gaps, setGaps] = useState(0);
  const isShared = gaps === 0 || form.gets === null;
  const sent = isShort
    ? isShared
      ? countOf(item, form, came)
      : null
    : countOf(item, { ...form, gets: null }, Math.max(0, ordered - 1));
  const { plan, isCurrent, error, retry } = usePlan(day.hub.slug, day.day, ordered === 0 ? null : sent);
  const boxes = plan ? applyShares(plan.shares, came, isShort ? form.gets : null) : [];
  const left = plan && isShort ? unitsLeft(boxes, came) : 0;
  if (left !== gaps) setGaps(left);

  const edit = { item, form, came, saved, over };
  const isChanged = !saved || saved.of !== ordered || !isSameForm(form, formOf(saved));
  const next = nextOf({ day, saved, parsed, ordered, left, plan, isCurrent, error, isConflict, isChanged, status });
  const running = writes.running[variantId] ?? false;
  const run = () => {
    if (next.kind === "wait") setTried(true);
    if (next.kind === "settle")
      void writes.settle(edit).then((isDone) => {
        if (isDone) onSettled();
      });
    if (next.kind === "save")
      void writes.save(edit).then((isDone) => {
        // The button is gone.
        if (isDone && isFree(document.activeElement)) toNumber();
      });
    if (next.kind === "remove" && saved) void writes.remove(item, saved);
  };
  const enter = () => {
    const button = document.getElementById(SETTLE_ID);
    if (typeof parsed === "number" && button) button.focus();
    else setTried(true);
  };
  const step = (by: number) => change({ came: String(Math.max(0, Math.min(ordered, came + by))) });
  useShortcuts([
    { keys: "(-|−)", shown: t.minus, label: t.keyLess, run: () => step(-1) },
    { keys: "[Shift]+(\\+|=)", shown: t.plus, label: t.keyMore, run: () => step(1) },
    {
      keys: "Enter",
      label: t.keySettle,
      // Elsewhere it would settle an item that no one has looked at: the number's Enter goes to the button.
      run: ({ target, repeat }) => {
        if (!repeat && target instanceof Element && target.closest("table") !== null) run();
      },
    },
  ]);

  const problem =
    parsed === "invalid"
      ? t.invalidCame
      : parsed === "more"
        ? t.moreThanOrdered(ordered)
        : parsed === "empty" && wasTried
          ? t.enterNumber
          : null;
  const failure = writes.failures[variantId];
  return (
    <div className={s.detail}>
      <DetailHead
        item={item}
        number={
          <CameField
            id={CAME_ID}
            value={form.came}
            ordered={ordered}
            problem={problem}
            onChange={(typed) => change({ came: typed })}
            onEnter={enter}
            onLeave={onLeave}
          />
        }
        came={came}
        of={ordered}
        note={
          <>
            {saved && <CountedNote day={day} shortage={saved} />}
            {saved && saved.of !== ordered && <p>{t.orderedNow(ordered, saved.of)}</p>}
          </>
        }
        back={back}
      />
      {isConflict && (
        <ConflictBox
          form={form}
          saved={saved}
          settled={settled}
          ordered={ordered}
          onKeep={() => {
            drafts.keepOver(variantId, saved?.version ?? null);
            toNumber();
          }}
          onTake={() => {
            drafts.discard(variantId);
            toNumber();
          }}
        />
      )}
      {saved?.action?.state === "refused" && !draft && (
        <div className={s.notice}>
          <Banner tone="error" title={t.refusedHeading}>
            <p className={s.lines}>{saved.action.problem}</p>
            <p>{t.refusedHelp}</p>
          </Banner>
        </div>
      )}
      {error && isShort && <PlanError error={error} onRetry={retry} />}
      <Rule
        isByHand={form.gets !== null && isShort}
        left={left}
        onRule={() => {
          change({ gets: null });
          toNumber();
        }}
      />
      {plan ? (
        <ShareTable
          boxes={boxes}
          hubId={day.hub.id}
          zone={day.hub.timeZone}
          isCurrent={isCurrent && isShort}
          onAdjust={isShort ? (boxId, by) => change({ gets: adjustBox(boxes, boxId, by) }) : undefined}
        />
      ) : (
        !error && (
          <div className={s.bones}>
            <Skeleton label={t.boxes}>
              <SkeletonPart kind="row" />
              <SkeletonPart kind="row" />
              <SkeletonPart kind="row" />
            </Skeleton>
          </div>
        )
      )}
      <ShortFoot
        item={item}
        form={form}
        onChange={change}
        boxes={boxes}
        plan={isShort ? plan : undefined}
        isCurrent={isCurrent}
      >
        <CutoffNote day={day} />
        {next.kind !== "none" && (
          <Button
            id={SETTLE_ID}
            disabled={next.kind === "wait"}
            busy={running && busyWords[running]}
            aria-describedby={`${SETTLE_ID}-note`}
            onClick={run}
          >
            {next.label}
            <Kbd keys={t.enter} inButton />
          </Button>
        )}
        <p id={`${SETTLE_ID}-note`} className={s.note} role={next.kind === "wait" ? "status" : undefined}>
          {next.kind === "wait" ? next.reason : next.kind === "settle" ? t.undoFor : null}
        </p>
        {next.kind === "settle" && isChanged && (
          <Compact size="sm">
            <Button kind="quiet" onClick={() => void writes.save(edit)}>
              {t.saveForLater}
            </Button>
          </Compact>
        )}
        {draft && !saved && !isShort && !isConflict && (
          <Compact size="sm">
            <Button
              kind="quiet"
              onClick={() => {
                drafts.discard(variantId);
                toNumber();
              }}
            >
              {t.discard}
            </Button>
          </Compact>
        )}
        {failure && (
          <p className={s.failure} role="alert">
            {failure}
          </p>
        )}
      </ShortFoot>
    </div>
  );
}

const toNumber = (): void => document.getElementById(CAME_ID)?.focus();
/** The person has not gone elsewhere since they pressed the button. */
const isFree = (element: Element | null): boolean => element === document.body || element?.id === SETTLE_ID;

const busyWords = { save: t.saving, settle: t.settling, remove: t.removing };

interface State {
  day: DayShorts;
  saved: Shortage | undefined;
  parsed: ReturnType<typeof parseCame>;
  ordered: number;
  left: number;
  plan: ShortPlan | undefined;
  isCurrent: boolean;
  error: Error | null;
  isConflict: boolean;
  isChanged: boolean;
  status: ReturnType<typeof useLive>["status"];
}

/** The one thing to do next. */
function nextOf(state: State): Next {
  const { day, saved, parsed, ordered, left, plan, isCurrent, error, isConflict, isChanged, status } = state;
  const idle = day.isFrozen ? t.settlePlain : t.savePlain;
  const wait = (reason: string): Next => ({ kind: "wait", label: idle, reason });
  if (isConflict) return wait(t.conflictHelp);
  if (parsed === "empty") return wait(t.enterNumber);
  if (parsed === "invalid") return wait(t.invalidCame);
  if (parsed === "more") return wait(t.moreThanOrdered(ordered));
  if (parsed === ordered) return saved ? { kind: "remove", label: t.removeCount } : wait(t.nothingShort);
  if (left !== 0) return wait(t.sumFirst(left));
  if (!day.isFrozen) return isChanged ? { kind: "save", label: t.saveCount(parsed, ordered) } : { kind: "none" };
  if (error) return wait(t.planFailed);
  if (!isCurrent || !plan?.money) return wait(status === "offline" ? t.offlineReason : t.calculating);
  const { back, door, uncharged } = plan.money;
  const less = door + uncharged;
  return {
    kind: "settle",
    label: back > 0 ? t.settle(formatMoney(back)) : less > 0 ? t.settleLess(formatMoney(less)) : t.settleNoMoney,
  };
}

interface RuleProps {
  isByHand: boolean;
  /** Units that no box gets yet. */
  left: number;
  onRule: () => void;
}

/** By which rule the boxes get what came, and what is left to give. */
const Rule = ({ isByHand, left, onRule }: RuleProps) => (
  <div className={s.rule}>
    <Icon name="sliders" size="sm" />
    <p>
      {t.allocateBy} <b>{isByHand ? t.byHand : t.byRule}</b>
    </p>
    {isByHand && (
      <button type="button" className={s.toRule} onClick={onRule}>
        {t.backToRule}
      </button>
    )}
    <p className={s.left} role="status">
      {left > 0 ? t.toGive(left) : left < 0 ? t.tooMany(-left) : null}
    </p>
    <p className={s.keys}>
      {t.adjustWith} <Kbd keys={t.minus} /> <Kbd keys={t.plus} />
    </p>
  </div>
);

/** Why the shares cannot be settled, with each box that refuses, or a way to read them again. */
function PlanError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isRefusal = error instanceof ApiError && error.status !== undefined && error.status < 500;
  return (
    <div className={s.notice}>
      <Banner
        tone="error"
        title={t.planFailed}
        role="alert"
        action={
          !isRefusal && (
            <Compact size="sm">
              <Button kind="outline" onClick={onRetry}>
                {t.tryAgain}
              </Button>
            </Compact>
          )
        }
      >
        <p className={s.lines}>{messageOf(error)}</p>
      </Banner>
    </div>
  );
}
