import { messageOf } from "@marketday/client/messages.ts";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "react-router";

import * as t from "#messages/orders";

import { paths } from "../../lib/paths.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { PageHead } from "../shell/page-head.tsx";
import { isForbidden, isMissing, orderQuery } from "./api.ts";

import s from "./orders.module.css";

/** Finds the day of an order by its number, and opens it there in its list. */
export default function OrderPage() {
  const { order = "" } = useParams();
  const { to } = useHubFilter();
  const isNumber = /^\d{1,9}$/.test(order);
  const { data, error, refetch } = useQuery({ ...orderQuery(order), enabled: isNumber });
  if (data) return <Navigate replace to={to(paths.boxes(data.hub.slug, data.day, data.id))} />;
  if (!isNumber || isMissing(error) || isForbidden(error))
    return (
      <>
        <PageHead title={isForbidden(error) ? t.orderNotAllowed : t.noOrder} />
        <div className={s.state}>
          <p>{isForbidden(error) ? t.notAllowedHelp : t.noOrderHelp}</p>
          <Link to={to(paths.today)} className={s.link}>
            {t.toToday}
          </Link>
        </div>
      </>
    );
  return (
    <>
      <PageHead title={t.orderTitle} />
      <div className={s.state}>
        {error ? (
          <ErrorState message={t.failedOrder} onRetry={() => void refetch()}>
            {messageOf(error)}
          </ErrorState>
        ) : (
          <Skeleton label={t.loadingOrder}>
            <SkeletonPart kind="title" width="half" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
          </Skeleton>
        )}
      </div>
    </>
  );
}
