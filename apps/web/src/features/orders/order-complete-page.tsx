import { ApiError } from "@marketday/client/transport.ts";
import { isNumericOrderId } from "@marketday/domain/order-state";
import { Button } from "@marketday/ui/button.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Panel } from "@marketday/ui/panel.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useParams } from "react-router";

import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import NotFoundPage from "../not-found/not-found-page.tsx";
import { useShopper } from "../session/api.ts";
import { SurveyAfter } from "../surveys/survey-after.tsx";
import { orderQuery } from "./api.ts";
import { OrderReceipt } from "./order-receipt.tsx";

import s from "./order-complete-page.module.css";

/** `/order-complete/{orderId}`: the confirmation. Another person's order, or none, is the 404 page. */
export default function OrderCompletePage() {
  const { orderId = "" } = useParams();
  return isNumericOrderId(orderId) ? <OrderComplete id={Number(orderId)} /> : <NotFoundPage />;
}

function OrderComplete({ id }: { id: number }) {
  const { profile, isRegistered, isPending } = useShopper();
  const { openModal } = useNavigation();
  const { data: order, error, refetch } = useQuery({ ...orderQuery(id), enabled: isRegistered });
  const hasAsked = useRef(false);
  const login = () => openModal({ kind: "login" }, "order-login");
  useTitle("Your order");

  // Once: who closes the login stays on the page, with the button.
  const needsLogin = !isPending && !isRegistered;
  useEffect(() => {
    if (!needsLogin || hasAsked.current) return;
    hasAsked.current = true;
    openModal({ kind: "login" }, "order-login");
  }, [needsLogin, openModal]);

  if (needsLogin)
    return (
      <div className={s.page}>
        <h1>Your order</h1>
        <EmptyState
          icon="person"
          title={`Login to see order #${id}`}
          action={
            <Button id="order-login" onClick={login}>
              Login
            </Button>
          }
        >
          Only the account that placed an order can see it.
        </EmptyState>
      </div>
    );
  if (order)
    return (
      <>
        <OrderReceipt order={order} email={profile?.email ?? null} />
        {order.status !== "cancelled" && <SurveyAfter key={id} orderId={id} />}
      </>
    );
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  return (
    <div className={s.page}>
      <h1>Your order</h1>
      {error ? (
        <ErrorState message={`We have your order #${id}`} onRetry={() => void refetch()}>
          We couldn't load its details: {error.message}
        </ErrorState>
      ) : (
        <Panel as="section" label="Loading">
          <Skeleton label="your order">
            <SkeletonPart kind="title" width="half" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="line" />
            <SkeletonPart kind="line" width="half" />
          </Skeleton>
        </Panel>
      )}
    </div>
  );
}
