import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import { Route, Routes } from "react-router";

import { paths } from "../lib/paths.ts";

const TodayPage = lazyWithRetry(() => import("../features/today/today-page.tsx"));
const DayPage = lazyWithRetry(() => import("../features/day/day-page.tsx"));
const InvitePage = lazyWithRetry(() => import("../features/session/invite-page.tsx"));
const SecurityPage = lazyWithRetry(() => import("../features/session/security-page.tsx"));
const StaffPage = lazyWithRetry(() => import("../features/staff/staff-page.tsx"));

/** The screens by address. */
export const App = () => (
  <Routes>
    <Route path={paths.today} element={<TodayPage />} />
    <Route path={paths.day(":hub", ":date")} element={<DayPage />} />
    <Route path={paths.invite(":token?")} element={<InvitePage />} />
    <Route path={paths.security} element={<SecurityPage />} />
    <Route path={paths.staff} element={<StaffPage />} />
  </Routes>
);
