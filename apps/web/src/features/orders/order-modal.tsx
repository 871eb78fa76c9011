import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";

import { messages } from "../../lib/messages.ts";
import type { ModalProps, Modal } from "../../navigation/modals.ts";
import { listedOrder, orderQuery } from "./api.ts";
import { OrderDetails } from "./order-details.tsx";

import s from "./order-details.module.css";

/** One order as a till receipt (spec §2.4 Order details): what the list knew of it stands there at once. */
export default function OrderModal({ modal: { id }, onDone }: ModalProps<Extract<Modal, { kind: "order" }>>) {
  const client = useQueryClient();
  const {
    data: order,
    error,
    refetch,
  } = useQuery({
    ...orderQuery(id),
    staleTime: 0,
    placeholderData: () => listedOrder(client, id),
  });
  if (order) return <OrderDetails key={id} id={id} order={order} onGone={onDone} />;
  return (
    <DialogBody>
      <div className={s.details}>
        <DialogTitle>Order #{id}</DialogTitle>
        {error ? (
          <ErrorState message={messages.ordersFetch} onRetry={() => void refetch()}>
            {error.message}
          </ErrorState>
        ) : (
          <Skeleton label="your order">
            <SkeletonPart kind="title" width="half" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="line" />
          </Skeleton>
        )}
      </div>
    </DialogBody>
  );
}
