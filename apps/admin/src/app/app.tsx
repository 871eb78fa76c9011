import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import { PageScroll } from "@marketday/client/overlays/page-scroll.tsx";
import { Suspense, useState } from "react";
import { Outlet, Route, Routes, useLocation, useNavigationType } from "react-router";

import { ShownOnceProvider } from "../features/session/shown-once.tsx";
import { StepUpProvider } from "../features/session/step-up.tsx";
import { Frame } from "../features/shell/frame.tsx";
import { NotFoundPage } from "../features/shell/not-found-page.tsx";
import { Permitted } from "../features/shell/permitted.tsx";
import { SessionGate } from "../features/shell/session-gate.tsx";
import { listOf, paths } from "../lib/paths.ts";
import { adminStorage } from "../lib/storage.ts";

const TodayPage = lazyWithRetry(() => import("../features/today/today-page.tsx"));
const DayPage = lazyWithRetry(() => import("../features/day/day-page.tsx"));
const BoxesPage = lazyWithRetry(() => import("../features/orders/boxes-page.tsx"));
const DoorPage = lazyWithRetry(() => import("../features/door/door-page.tsx"));
const InvitePage = lazyWithRetry(() => import("../features/session/invite-page.tsx"));
const SecurityPage = lazyWithRetry(() => import("../features/session/security-page.tsx"));
const ShortsPage = lazyWithRetry(() => import("../features/shorts/shorts-page.tsx"));
const OrdersPage = lazyWithRetry(() => import("../features/order-list/orders-page.tsx"));
const ProductsPage = lazyWithRetry(() => import("../features/products/products-page.tsx"));
const CustomersPage = lazyWithRetry(() => import("../features/customers/customers-page.tsx"));
const InboxPage = lazyWithRetry(() => import("../features/inbox/inbox-page.tsx"));
const PayoutsPage = lazyWithRetry(() => import("../features/payouts/payouts-page.tsx"));
const AuditPage = lazyWithRetry(() => import("../features/audit/audit-page.tsx"));
const SettingsPage = lazyWithRetry(() => import("../features/settings/settings-page.tsx"));
const StaffPage = lazyWithRetry(() => import("../features/staff/staff-page.tsx"));

/** The screens by address. All but the invitation need a session. The key: a permission of one screen says nothing about the next. */
export const App = () => (
  <Routes>
    <Route
      path={paths.invite(":token?")}
      element={
        <Suspense>
          <InvitePage />
        </Suspense>
      }
    />
    <Route element={<SignedIn />}>
      <Route
        path={paths.today}
        element={
          <Permitted key="orders.read" permission="orders.read">
            <TodayPage />
          </Permitted>
        }
      />
      <Route
        path={paths.day(":hub", ":date")}
        element={
          <Permitted key="orders.read day" permission="orders.read">
            <DayPage />
          </Permitted>
        }
      />
      <Route
        path={paths.door(":hub", ":date")}
        element={
          <Permitted key="orders.adjust door" permission="orders.adjust">
            <DoorPage />
          </Permitted>
        }
      />
      <Route
        path={paths.boxes(":hub", ":date", ":order?")}
        element={
          <Permitted key="orders.read boxes" permission="orders.read">
            <BoxesPage />
          </Permitted>
        }
      />
      <Route
        path={paths.shorts(":hub", ":date", ":variantId?")}
        element={
          <Permitted key="orders.adjust shorts" permission="orders.adjust">
            <ShortsPage />
          </Permitted>
        }
      />
      <Route
        path={paths.order(":order?")}
        element={
          <Permitted key="orders.read orders" permission="orders.read">
            <OrdersPage />
          </Permitted>
        }
      />
      <Route
        path={paths.products}
        element={
          <Permitted key="orders.read products" permission="orders.read">
            <ProductsPage />
          </Permitted>
        }
      />
      <Route
        path={paths.customer(":customer?")}
        element={
          <Permitted key="people.read" permission="people.read">
            <CustomersPage />
          </Permitted>
        }
      />
      <Route
        path={`${paths.inbox}/:kind?/:id?`}
        element={
          <Permitted key="inbox.reply" permission="inbox.reply" or="moderation.write">
            <InboxPage />
          </Permitted>
        }
      />
      <Route
        path={`${paths.payouts}/:view?/:id?`}
        element={
          <Permitted key="money.read" permission="money.read" where="all">
            <PayoutsPage />
          </Permitted>
        }
      />
      <Route
        path={paths.audit}
        element={
          <Permitted key="audit.read" permission="audit.read">
            <AuditPage />
          </Permitted>
        }
      />
      <Route
        path={paths.staff}
        element={
          <Permitted key="staff.write" permission="staff.write" where="all">
            <StaffPage />
          </Permitted>
        }
      />
      <Route
        path={`${paths.settings}/:view?`}
        element={
          <Permitted key="settings.write" permission="settings.write" where="all">
            <SettingsPage />
          </Permitted>
        }
      />
      <Route path={paths.security} element={<SecurityPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Route>
  </Routes>
);

const SignedIn = () => (
  <SessionGate>
    <StepUpProvider>
      <ShownOnceProvider>
        <Frame>
          <Outlet />
          <Scroll />
        </Frame>
      </ShownOnceProvider>
    </StepUpProvider>
  </SessionGate>
);

/**
 * With the screen, so that its title is there when the focus goes to it. What opens and closes within a screen, and its filters, do not
 * move it.
 */
function Scroll() {
  const location = useLocation();
  const [page, setPage] = useState(location);
  const list = listOf(location.pathname);
  const isWithin = list !== null && list === listOf(page.pathname);
  if (page !== location && !isWithin) setPage(location);
  return <PageScroll page={page} navigationType={useNavigationType()} storage={adminStorage} />;
}
