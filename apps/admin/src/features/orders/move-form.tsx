import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { OrderPlace } from "@marketday/contracts/admin/order-changes";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { Select, TextInput } from "@marketday/ui/text-input.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import * as t from "#messages/orders";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { isUnknown, movePlanQuery, movesQuery, placePlanQuery } from "./api.ts";
import { moveEffect, placeEffect } from "./effect.ts";
import { formatMoveDay } from "./format.ts";
import { useVerb } from "./use-verb.ts";
import { planProblem, VerbForm } from "./verb-form.tsx";

import s from "./orders.module.css";

interface Values {
  what: "pickup" | "door" | "day";
  pickupPointId: string;
  to: string;
  reason: string;
  address: string;
  address2: string;
  city: string;
  state: string;
  zipCode: string;
  instructions: string;
}

/** Sends a box to another pickup point or address at once, or to a later day in ten seconds. What is typed stays until then. */
export function MoveForm({ order, onClose }: { order: OrderBox; onClose: () => void }) {
  const { can } = order;
  const moves = useQuery(movesQuery(order));
  const first: Values = {
    what: can.changePlace ? (order.isPickup ? "door" : "pickup") : "day",
    pickupPointId: "",
    to: "",
    reason: "",
    address: order.address?.address ?? "",
    address2: order.address?.address2 ?? "",
    city: order.address?.city ?? "",
    state: order.address?.state ?? "",
    zipCode: order.address?.zipCode ?? "",
    instructions: order.address?.instructions ?? "",
  };
  const ids = {
    ...controlIds("order-move", first),
    "place.pickupPointId": "order-move-pickupPointId",
    "place.address.zipCode": "order-move-zipCode",
    "place.address.state": "order-move-state",
  };
  const { values, put, clear } = useFormDraft<Values>(`move-${order.id}`, first);
  const { what } = values;
  const points = (moves.data?.points ?? []).filter(({ id }) => id !== moves.data?.pickupPointId);
  const place: OrderPlace | null =
    what === "pickup"
      ? points.some(({ id }) => String(id) === values.pickupPointId)
        ? { type: "pickup", pickupPointId: Number(values.pickupPointId) }
        : null
      : what === "door"
        ? {
            type: "delivery",
            address: {
              address: values.address.trim(),
              address2: values.address2.trim(),
              city: values.city.trim(),
              state: values.state.trim().toUpperCase() as Extract<OrderPlace, { type: "delivery" }>["address"]["state"],
              zipCode: values.zipCode.trim(),
              instructions: values.instructions.trim(),
            },
          }
        : null;
  const placePlan = useQuery({
    ...placePlanQuery(order, place!),
    enabled: place?.type === "pickup",
    retry: false,
  });
  const dayPlan = useQuery({
    ...movePlanQuery(order, values.to),
    enabled: what === "day" && values.to !== "",
    retry: false,
  });
  const verb = useVerb(order, () => {
    clear();
    onClose();
  });
  const isDoor = what === "door";
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, {
      pickupPointId: what === "pickup" && place === null && t.pointMissing,
      to: what === "day" && values.to === "" && t.dayMissing,
      address: isDoor && values.address.trim() === "" && t.addressMissing,
      city: isDoor && values.city.trim() === "" && t.cityMissing,
      state: isDoor && !/^[a-z]{2}$/i.test(values.state.trim()) && t.stateMissing,
      zipCode: isDoor && !/^\d{5}$/.test(values.zipCode.trim()) && t.zipMissing,
    }),
  });
  useEffect(() => document.getElementById("order-move-title")?.parentElement?.querySelector("input")?.focus(), []);
  const pointName = points.find(({ id }) => String(id) === values.pickupPointId)?.name;
  const effect =
    what === "day"
      ? (planProblem(dayPlan.error) ?? (values.to === "" || !dayPlan.data ? null : moveEffect(dayPlan.data)))
      : what === "pickup"
        ? (planProblem(placePlan.error) ?? (placePlan.data && place ? placeEffect(placePlan.data) : null))
        : t.doorEffect;
  const send = () => {
    const { id, version: expectedVersion } = order;
    const reason = values.reason.trim();
    const subject = { title: t.moveTitle, effect: effect ?? "", action: t.verbMove };
    if (what === "day") {
      const sent = { params: { id }, body: { to: values.to, reason, expectedVersion } };
      return verb.send(sent, subject, (idempotencyKey) => call(calls.moveOrder, sent, { idempotencyKey }));
    }
    const sent = { params: { id }, body: { place: place!, reason, expectedVersion } };
    return verb.send(sent, subject, (idempotencyKey) => call(calls.changePlace, sent, { idempotencyKey }));
  };
  const input = (name: "address" | "address2" | "city" | "zipCode" | "instructions", label: string, hint?: string) => (
    <Field label={label} {...(hint !== undefined && { hint })} {...field(name)}>
      <TextInput
        autoComplete="off"
        maxLength={name === "instructions" ? 500 : 200}
        value={values[name]}
        onChange={({ target }) => put({ [name]: target.value })}
      />
    </Field>
  );
  const placeError = field(what === "pickup" ? "place.pickupPointId" : "place.address.zipCode").error;
  return (
    <VerbForm
      id="order-move-title"
      title={t.moveTitle}
      problems={problems}
      error={error}
      isChanged={verb.isChanged}
      submitLabel={
        what === "day"
          ? values.to === ""
            ? t.verbMove
            : t.moveTo(formatMoveDay(values.to))
          : what === "pickup"
            ? pointName === undefined
              ? t.verbMove
              : t.moveTo(pointName)
            : t.moveToAddress
      }
      busy={running !== null && (what === "day" ? t.holding : t.saving)}
      onClose={onClose}
      onSubmit={() => void submit(send, (cause) => (isUnknown(cause) ? t.verbUnknown : messageOf(cause)))}
    >
      <RadioChips
        legend={t.moveWhat}
        chips={[
          ...(can.changePlace
            ? [
                { value: "pickup" as const, label: t.moveKinds.pickup },
                { value: "door" as const, label: t.moveKinds.door },
              ]
            : []),
          ...(can.moveDay ? [{ value: "day" as const, label: t.moveKinds.day }] : []),
        ]}
        value={what}
        onChange={(next) => put({ what: next })}
      />
      <Compact>
        {what === "pickup" && (
          <Field
            label={t.pickupPoint}
            hint={t.pickupHint}
            {...field("pickupPointId")}
            error={field("pickupPointId").error ?? placeError}
          >
            <Select value={values.pickupPointId} onChange={({ target }) => put({ pickupPointId: target.value })}>
              <option value="">{points.length === 0 && moves.data ? t.noPoints : t.choosePoint}</option>
              {points.map(({ id, name, address }) => (
                <option key={id} value={String(id)}>
                  {t.pointOption(name, address)}
                </option>
              ))}
            </Select>
          </Field>
        )}
        {what === "day" && (
          <Field label={t.newDay} hint={t.newDayHint} {...field("to")}>
            <Select value={values.to} onChange={({ target }) => put({ to: target.value })}>
              <option value="">{t.chooseDay}</option>
              {(moves.data?.days ?? []).map((day) => (
                <option key={day} value={day}>
                  {formatMoveDay(day)}
                </option>
              ))}
            </Select>
          </Field>
        )}
        {isDoor && (
          <>
            {input("address", t.street)}
            {input("address2", t.street2)}
            <div className={s.pair}>
              {input("city", t.city)}
              <Field
                label={t.state}
                {...field("state")}
                error={field("state").error ?? field("place.address.state").error}
              >
                <TextInput
                  autoComplete="off"
                  maxLength={2}
                  value={values.state}
                  onChange={({ target }) => put({ state: target.value })}
                />
              </Field>
              <Field label={t.zipCode} {...field("zipCode")} error={field("zipCode").error ?? placeError}>
                <TextInput
                  autoComplete="off"
                  inputMode="numeric"
                  maxLength={5}
                  value={values.zipCode}
                  onChange={({ target }) => put({ zipCode: target.value })}
                />
              </Field>
            </div>
            {input("instructions", t.instructions, t.instructionsHint)}
          </>
        )}
      </Compact>
      {moves.error && <p className={s.failure}>{messageOf(moves.error)}</p>}
      {effect !== null && (
        <p className={s.effect} aria-live="polite">
          {effect}
        </p>
      )}
    </VerbForm>
  );
}
