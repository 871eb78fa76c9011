import type { Page } from "@playwright/test";

import { inTurn, press, pressFirst, pressMore, type Screen, see, seeInFrame, type Shown } from "./screen.ts";

/** Opens the conversation with the first vendor of the list. */
const writeToStall = inTurn(
  pressFirst,
  press(/^Message /),
  (page) => page.getByRole("textbox", { name: "Your message" }).fill("Do you have goose eggs in spring?"),
  press("Send"),
  press("See the conversation"),
  (page) => page.getByRole("textbox", { name: /^Reply to / }).waitFor(),
);
/** Accounts, conversations and content pages. */
export const peopleScreens = ({ orderId }: Shown): Screen[] => [
  { name: "welcome", as: "none", path: "/" },
  { name: "more", as: "guest", path: "/more" },
  { name: "inbox", as: "customer", path: "/inbox" },
  { name: "inbox-guest", as: "guest", path: "/inbox" },
  {
    name: "message",
    as: "customer",
    path: "/vendors",
    run: inTurn(pressFirst, press(/^Message /), see(/^Message /)),
  },
  { name: "conversation", as: "customer", path: "/vendors", run: writeToStall },
  {
    name: "conversation-unsent",
    as: "customer",
    path: "/vendors",
    run: inTurn(
      writeToStall,
      async (page) => {
        await page.route("**/api/inbox/*/reply", (route) => route.abort());
      },
      (page) => page.getByRole("textbox", { name: /^Reply to / }).fill("Or in early summer?"),
      press("Send"),
      (page) => page.getByText("Not sent").waitFor(),
    ),
  },
  { name: "become-a-vendor-form", as: "guest", path: "/embed/become-a-vendor" },
  { name: "support", as: "customer", path: "/support" },
  { name: "support-guest", as: "guest", path: "/support" },
  { name: "contact-us", as: "guest", path: "/embed/contact-us" },
  ...(orderId === null
    ? []
    : [
        {
          name: "report-problem",
          as: "customer" as const,
          path: `/embed/report-problem?order=${orderId}`,
          run: (page: Page) => page.getByRole("checkbox").last().check(),
        },
      ]),
  { name: "login", as: "guest", path: "/login", run: see("Login") },
  {
    name: "register",
    as: "guest",
    path: "/login",
    run: inTurn(press("Create a free account"), see("Create your free account")),
  },
  { name: "about", as: "guest", path: "/about", run: see("News") },
  { name: "blog", as: "guest", path: "/blog" },
  {
    name: "post",
    as: "guest",
    path: "/blog",
    run: inTurn(pressFirst, (page) => page.getByRole("button", { name: /^Share/ }).waitFor()),
  },
  { name: "help", as: "guest", path: "/help" },
  {
    name: "faq",
    as: "guest",
    path: "/faq",
    run: (page) => page.getByRole("searchbox", { name: "Search the answers" }).fill("delivery"),
  },
  { name: "jobs", as: "none", path: "/jobs" },
  { name: "driver-application", as: "none", path: "/driver-application" },
  {
    name: "join",
    as: "guest",
    path: "/join",
    run: seeInFrame(/./),
  },
  {
    name: "terms",
    as: "guest",
    path: "/terms",
    run: seeInFrame(/./),
  },
  { name: "contact-frame", as: "none", path: "/embed/contact-us" },
  { name: "privacy-frame", as: "none", path: "/embed/privacy" },
  { name: "faq-frame", as: "none", path: "/embed/faq" },
  {
    name: "forgot",
    as: "guest",
    path: "/login",
    run: inTurn(press("Forgot Password"), see("Forgot Password")),
  },
  { name: "reset", as: "none", path: "/password-reset/example", run: see("Choose a new password") },
  { name: "details", as: "customer", path: "/profile", run: see("Where you're logged in") },
  {
    name: "details-changed",
    as: "customer",
    path: "/account",
    run: inTurn(
      (page) => page.getByLabel("Username").fill("Market friend"),
      (page) => page.getByRole("button", { name: "Save", exact: true }).waitFor(),
      // To the end: a control that Save half covers is measured by its visible part.
      (page) => page.getByRole("button", { name: "Delete my account" }).scrollIntoViewIfNeeded(),
    ),
  },
  {
    name: "details-below",
    as: "customer",
    path: "/profile",
    run: (page) => page.getByRole("button", { name: "Delete my account" }).scrollIntoViewIfNeeded(),
  },
  { name: "details-guest", as: "guest", path: "/profile", run: see("My Details") },
  {
    name: "delete-account",
    as: "customer",
    path: "/profile",
    run: inTurn(press("Delete my account"), see("Delete my account")),
  },
  { name: "welcome-friend", as: "none", path: "/?referredByCustomerId=1", run: see(/online farmers market/) },
  {
    name: "welcome-vendor-step",
    as: "none",
    path: "/?trk=roadside-sign",
    run: inTurn(
      (page) => page.getByRole("dialog").getByLabel("Zip code").fill("46032"),
      press("Browse"),
      see("Hear what's in season"),
    ),
  },
  { name: "not-found", as: "guest", path: "/no-such-page" },
  { name: "logout", as: "customer", path: "/more", run: inTurn(pressMore("Logout"), see(/^Are you sure/)) },
];
