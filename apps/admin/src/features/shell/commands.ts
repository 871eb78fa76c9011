import type { Me } from "@marketday/contracts/admin/session";
import type { Today } from "@marketday/contracts/admin/today";
import { type CalendarDate, calendarDate, dateInZone } from "@marketday/domain/calendar-date";
import type { Permission } from "@marketday/domain/staff";
import type { IconName } from "@marketday/ui/icon/icon.tsx";

import * as t from "#messages/shell";

import { paths } from "../../lib/paths.ts";
import { hasPermission } from "../session/api.ts";
import { nextScreen } from "../today/next-screen.ts";
import { dayScreen } from "./day-screen.ts";

/** An action of the frame. */
export type FrameAction =
  | "list_keys"
  | "list_changes"
  | "toggle_keys"
  | "theme_light"
  | "theme_dark"
  | "theme_system"
  | "sign_out";

/** Something that the palette finds. */
export interface Command {
  id: string;
  title: string;
  detail?: string;
  icon: IconName;
  /** A delivery day has its leaf instead of the icon. */
  date?: CalendarDate;
  /** Words that find it besides its title. */
  words: string;
  /** The keys that do the same, as `Shortcut.keys`. */
  keys?: string;
  /** Where it leads, or what it does. */
  does: { to: string } | { filter: string | null } | { action: FrameAction };
  /** The command of the server's terminal that does the same, without `./market`. */
  command?: string;
}

interface Known {
  me: Me;
  rows: Today["rows"];
  now: Date;
  areKeysOff: boolean;
}

/** Everything that a person may go to or do from the palette: screens, then delivery days and what they need, markets, actions. */
export function listCommands({ me, rows, now, areKeysOff }: Known): Command[] {
  const may = (permission: Permission) => hasPermission(me, permission);
  const screens: (Command | false)[] = [
    may("orders.read") && {
      id: "today",
      title: t.today,
      detail: t.todayDetail,
      icon: "today",
      words: t.findToday,
      keys: "g t",
      does: { to: paths.today },
      command: "week",
    },
    may("orders.read") && {
      id: "orders",
      title: t.orders,
      detail: t.ordersDetail,
      icon: "order",
      words: t.findOrders,
      keys: "g o",
      does: { to: paths.orders },
      command: "orders list",
    },
    may("orders.read") && {
      id: "recall",
      title: t.recall,
      detail: t.recallDetail,
      icon: "find",
      words: t.findRecall,
      does: { to: `${paths.orders}?recall` },
    },
    may("orders.read") && {
      id: "products",
      title: t.products,
      detail: t.productsDetail,
      icon: "apple",
      words: t.findProducts,
      keys: "g p",
      does: { to: paths.products },
      command: "products export",
    },
    may("people.read") && {
      id: "customers",
      title: t.customers,
      detail: t.customersDetail,
      icon: "person",
      words: t.findCustomers,
      keys: "g u",
      does: { to: paths.customers },
      command: "customers find --help",
    },
    hasPermission(me, "money.read", "all") && {
      id: "payouts",
      title: t.payouts,
      detail: t.payoutsDetail,
      icon: "coins",
      words: t.findPayouts,
      keys: "g y",
      does: { to: paths.payouts },
      command: "ledger payouts --help",
    },
    (may("inbox.reply") || may("moderation.write")) && {
      id: "inbox",
      title: t.inbox,
      detail: t.inboxDetail,
      icon: "mail",
      words: t.findInbox,
      keys: "g i",
      does: { to: paths.inbox },
      command: "inbox list",
    },
    may("audit.read") && {
      id: "audit",
      title: t.audit,
      detail: t.auditDetail,
      icon: "audit",
      words: t.findAudit,
      keys: "g a",
      does: { to: paths.audit },
    },
    hasPermission(me, "staff.write", "all") && {
      id: "staff",
      title: t.staff,
      detail: t.staffDetail,
      icon: "key",
      words: t.findStaff,
      does: { to: paths.staff },
      command: "staff list",
    },
    ...(hasPermission(me, "settings.write", "all") ? settingsCommands : []),
    {
      id: "security",
      title: t.security,
      detail: t.securityDetail,
      icon: "key",
      words: t.findSecurity,
      does: { to: paths.security },
    },
  ];
  const days = rows.flatMap((row): Command[] => [...dayCommands(row, me, now), ...dayScreens(row, me, now)]);
  const markets = me.hubs.map(({ slug, name, deliveryDay }): Command => ({
    id: `hub:${slug}`,
    title: t.showMarket(name),
    detail: t.deliversOn(deliveryDay),
    icon: "pin",
    words: `${t.findMarket} ${slug}`,
    does: { filter: slug },
    command: `week ${slug}`,
  }));
  const actions: Command[] = [
    { id: "hub:all", title: t.clearFilter, icon: "pin", words: t.findMarket, does: { filter: null } },
    ...(may("orders.read")
      ? [
          {
            id: "changes",
            title: t.recentChanges,
            detail: t.recentChangesDetail,
            icon: "undo",
            words: t.findChanges,
            keys: "g h",
            does: { action: "list_changes" },
          } satisfies Command,
        ]
      : []),
    {
      id: "keys",
      title: t.showKeys,
      icon: "keys",
      words: t.findKeys,
      keys: "[Shift]+?",
      does: { action: "list_keys" },
    },
    {
      id: "toggle-keys",
      title: areKeysOff ? t.turnKeysOn : t.turnKeysOff,
      icon: "keys",
      words: t.findKeys,
      does: { action: "toggle_keys" },
    },
    { id: "light", title: t.light, icon: "sun", words: t.findTheme, does: { action: "theme_light" } },
    { id: "dark", title: t.dark, icon: "sun", words: t.findTheme, does: { action: "theme_dark" } },
    { id: "system", title: t.likeDevice, icon: "sun", words: t.findTheme, does: { action: "theme_system" } },
    { id: "sign-out", title: t.signOut, icon: "leave", words: t.findSignOut, does: { action: "sign_out" } },
  ];
  return [
    ...screens.filter((one) => one !== false),
    ...days,
    ...(me.hubs.length > 1 ? markets : []),
    ...actions,
  ].filter(({ id }) => id !== "hub:all" || me.hubs.length > 1);
}

/** The views of the settings. */
const settingsCommands: readonly Command[] = [
  {
    id: "settings",
    title: t.settings,
    detail: t.settingsDetail,
    icon: "sliders",
    words: t.findSettings,
    keys: "g e",
    does: { to: paths.settings },
    command: "doctor",
  },
  {
    id: "settings-mails",
    title: t.settingsMails,
    detail: t.settingsMailsDetail,
    icon: "mail",
    words: t.findSettingsMails,
    does: { to: paths.settingsView("mails") },
  },
  {
    id: "settings-environment",
    title: t.settingsEnvironment,
    detail: t.settingsEnvironmentDetail,
    icon: "sliders",
    words: t.findSettingsEnvironment,
    does: { to: paths.settingsView("environment") },
  },
];

/** A day, and what is to be done for it, on the screen that does it; for all else Today's row has the command. */
function dayCommands(row: Today["rows"][number], me: Me, now: Date): Command[] {
  const { hub, day: date, next } = row;
  const day = calendarDate(date);
  const today = dateInZone(now, hub.timeZone);
  const to = dayScreen(me, row);
  if (to === null) return [];
  const shared = { icon: "leaf", date: day, words: `${t.findDay} ${hub.slug} ${day}`, does: { to } } as const;
  const place = t.dayOf(hub.name, day, today);
  const action = next.command === null ? undefined : t.nextActions[next.kind];
  return [
    { ...shared, id: `day:${hub.slug}:${day}`, title: place, command: `week ${hub.slug}` },
    ...(action !== undefined && next.command !== null
      ? [
          {
            ...shared,
            id: `next:${hub.slug}:${day}`,
            title: t.actionOf(action, hub.name, day),
            detail: place,
            does: { to: nextScreen(me, row)?.path ?? paths.today },
            command: next.command,
          },
        ]
      : []),
  ];
}

/** The other screens of a day. */
function dayScreens({ hub, day: date }: Today["rows"][number], me: Me, now: Date): Command[] {
  const may = (permission: Permission) => hasPermission(me, permission, hub.id);
  const day = calendarDate(date);
  const detail = t.dayOf(hub.name, day, dateInZone(now, hub.timeZone));
  const own = (id: string) => `${id}:${hub.slug}:${day}`;
  const screens: (Command | false)[] = [
    may("orders.read") && {
      id: own("boxes"),
      title: t.boxes,
      detail,
      icon: "order",
      words: `${t.findBoxes} ${hub.slug} ${day}`,
      keys: "g b",
      does: { to: paths.boxes(hub.slug, day) },
      command: `orders list --hub ${hub.slug} --day ${day}`,
    },
    may("orders.adjust") && {
      id: own("shorts"),
      title: t.shorts,
      detail,
      icon: "short",
      words: `${t.findShorts} ${hub.slug} ${day}`,
      keys: "g s",
      does: { to: paths.shorts(hub.slug, day) },
      command: "short --help",
    },
    may("orders.adjust") && {
      id: own("door"),
      title: t.door,
      detail,
      icon: "coins",
      words: `${t.findDoor} ${hub.slug} ${day}`,
      keys: "g m",
      does: { to: paths.door(hub.slug, day) },
      command: "orders paid --help",
    },
  ];
  return screens.filter((one) => one !== false);
}

const fold = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** How well a word fits: it begins the text (3), a word of it (2), or is inside of one (1); 0: not at all. */
function fit(word: string, text: string): number {
  if (text.startsWith(word)) return 3;
  if (text.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word))) return 2;
  return text.includes(word) ? 1 : 0;
}

/**
 * The commands that fit a text, best first: each of its words must fit the title, the detail, the words or the command line. Without a
 * text all of them, in their order.
 */
export function findCommands(commands: readonly Command[], text: string): Command[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...commands];
  return commands
    .map((command, place) => {
      const title = fold(command.title);
      const rest = fold(`${command.detail ?? ""} ${command.words} ${command.command ?? ""}`);
      const fits = words.map((word) => fit(word, title) * 2 || Math.sign(fit(word, rest)));
      return { command, place, score: fits.includes(0) ? 0 : fits.reduce((sum, each) => sum + each, 0) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || one.place - other.place)
    .map(({ command }) => command);
}
