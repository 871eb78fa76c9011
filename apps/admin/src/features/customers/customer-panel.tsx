import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { Leaf } from "@marketday/ui/admin/leaf.tsx";
import { SidePanel } from "@marketday/ui/admin/side-panel.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";

import * as t from "#messages/customers";

import { paths } from "../../lib/paths.ts";
import { isForbidden, isMissing } from "../orders/api.ts";
import { useMe } from "../session/api.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { AccountSection, ContactSection } from "./account-facts.tsx";
import { boxesQuery, type Customer, customerQuery, isCustomerId, type ListedCustomer } from "./api.ts";
import { CreditSection } from "./credit-section.tsx";
import { CustomerVerbs } from "./customer-verbs.tsx";
import { formatDate, nameOf } from "./format.ts";
import { HistorySection } from "./history-section.tsx";
import { NextBoxes } from "./next-boxes.tsx";
import { NotesSection } from "./notes-section.tsx";
import { OrdersSection } from "./orders-section.tsx";
import { ProblemsSection } from "./problems-section.tsx";
import { SubscriptionsSection } from "./subscriptions-section.tsx";
import { panelTitleId } from "./use-list-panel.ts";

import s from "./customers.module.css";

interface CustomerPanelProps {
  /** The number of the address. */
  id: string;
  /** Their row, from which the head is known before they have loaded. */
  row: ListedCustomer | undefined;
  place: string | undefined;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
  isWhole: boolean;
}

/** The zone in which times of a person are: of their market, else of the first one of the staff. */
function useZone(customer: Customer | undefined): string {
  const { hubs } = useMe();
  return customer?.hub?.timeZone ?? hubs[0]?.timeZone ?? "UTC";
}

/** One person beside the list: what they order and get, their credit, who they are, what happened, and what can be done. */
export function CustomerPanel({ id, row, ...panel }: CustomerPanelProps) {
  const now = useMarketNow();
  const isNumber = isCustomerId(id);
  const query = useQuery({ ...customerQuery(id), enabled: isNumber });
  const { data: customer, error, refetch } = query;
  const zone = useZone(customer);
  const isGone = !isNumber || (!customer && (isMissing(error) || isForbidden(error)));
  const head = customer ?? row;
  const isThere = customer?.deletedAt === null;
  // The head has the next delivery day.
  const boxes = useQuery({ ...boxesQuery(Number(id)), enabled: isThere });
  const day = boxes.data?.[0]?.day;
  return (
    <div className={s.panel} data-customer-panel="">
      <SidePanel
        {...panel}
        label={t.customerNumber(id)}
        link={paths.customer(id)}
        titleId={panelTitleId(id)}
        title={isGone ? t.noCustomer : head ? nameOf(head.name) : t.customerTitle}
        note={customer && <p>{t.headNote(customer.hub?.name ?? null, formatDate(customer.since, zone, now))}</p>}
        end={
          customer && (
            <>
              {customer.deletedAt !== null && (
                <StatusMark shape="off" pill>
                  {t.deletedOn(formatDate(customer.deletedAt, zone, now))}
                </StatusMark>
              )}
              {isThere && day !== undefined && <Leaf date={day} />}
            </>
          )
        }
        side={customer && <Side customer={customer} zone={zone} />}
        foot={customer && <CustomerVerbs key={id} customer={customer} />}
      >
        {customer ? (
          <>
            <StaleNote query={query} zone={zone} />
            {customer.deletedAt !== null && <p className={s.quiet}>{t.deletedHelp}</p>}
            {isThere && <NextBoxes customer={customer} zone={zone} />}
            <OrdersSection customer={customer} zone={zone} />
            <CreditSection customer={customer} zone={zone} />
            <SubscriptionsSection customer={customer} zone={zone} />
            <ProblemsSection customer={customer} zone={zone} />
          </>
        ) : isGone ? (
          <p>{isForbidden(error) ? t.notAllowedHelp : t.noCustomerHelp}</p>
        ) : error ? (
          <ErrorState message={t.failedCustomer} onRetry={() => void refetch()}>
            {messageOf(error)}
          </ErrorState>
        ) : (
          <Skeleton label={t.loadingCustomer}>
            <SkeletonPart kind="title" width="third" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
          </Skeleton>
        )}
      </SidePanel>
    </div>
  );
}

const Side = ({ customer, zone }: { customer: Customer; zone: string }) => (
  <>
    <ContactSection customer={customer} />
    <NotesSection customer={customer} zone={zone} />
    <AccountSection customer={customer} zone={zone} />
    <HistorySection customer={customer} zone={zone} />
  </>
);
