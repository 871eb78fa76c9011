import { expect, type Page, test as base, type TestMarket } from "./fixtures.ts";

/**
 * A test of the admin app. The market is at `localhost`: browsers have passkeys on plain http only there, and never at an IP address
 * (WebAuthn Level 3, §5.1.2).
 */
export const test = base.extend<object, { market: TestMarket }>({
  market: [
    async ({ market }, provide) => provide({ ...market, address: market.address.replace("127.0.0.1", "localhost") }),
    { scope: "worker" },
  ],
});

const HOUR_MS = 3_600_000;
let count = 0;

/** A person of the staff with a name and address of their own. */
export function newStaff(name = "Ada Kowalski") {
  count += 1;
  return { name, email: `staff.${process.pid}.${count}@example.com` };
}

/**
 * Gives the page's browser a passkey device that verifies its user, as a phone or laptop does.
 * @returns what the person does: closes its dialog from now on, or takes another device
 */
export async function addPasskeyDevice(page: Page) {
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  const add = () =>
    browser.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  let { authenticatorId } = await add();
  return {
    setUserVerified: (isUserVerified: boolean) =>
      browser.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    replace: async () => {
      await browser.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
      ({ authenticatorId } = await add());
    },
  };
}

/** Opens an invitation, creates a passkey and keeps the codes. @returns the ten recovery codes */
export async function setUpPasskey(page: Page, link: string): Promise<string[]> {
  await page.goto(link);
  await page.getByRole("button", { name: "Create a passkey" }).click();
  return keepCodes(page);
}

/** Reads the recovery codes and goes on to Today. */
export async function keepCodes(page: Page): Promise<string[]> {
  const list = page.getByRole("list", { name: "Recovery codes" });
  await expect(list.getByRole("listitem")).toHaveCount(10);
  const codes = await list.getByRole("listitem").allTextContents();
  await page.getByRole("checkbox", { name: "I’ve saved them" }).check();
  await page.getByRole("button", { name: "Go to the back office" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Today" })).toBeVisible();
  return codes;
}

/**
 * The session of a person of the staff in this page's browser, begun without signing in: for tests of what comes later. It needs no
 * step-up, however long the test takes.
 */
export async function beStaff(page: Page, market: TestMarket, id: number): Promise<void> {
  const { name, value } = await market.ask("staffCookie", { id });
  await market.ask("keepStepUp", { id });
  await page.context().addCookies([{ name, value, url: market.address, httpOnly: true, sameSite: "Strict" }]);
}

interface Session {
  me: { steppedUpUntil: string | null } | null;
}
/** What the server knows of this browser's session: it caches a session for up to a second. */
const sessionOf = async (page: Page, market: TestMarket): Promise<Session["me"]> =>
  ((await (await page.request.get(`${market.address}/api/admin/session`)).json()) as Session).me;

/** Ends the sessions of a person of the staff, as an owner elsewhere would; over when the server says so. */
export async function endStaffSessions(page: Page, market: TestMarket, email: string): Promise<void> {
  await market.ask("endStaffSessions", { email });
  await expect.poll(() => sessionOf(page, market)).toBeNull();
}

/** Makes the last proof of identity of this browser's session older than a step-up may be; over when the server says so. */
export async function forgetStepUp(page: Page, market: TestMarket, email: string): Promise<void> {
  await market.ask("forgetStepUp", { email });
  await expect.poll(async () => (await sessionOf(page, market))?.steppedUpUntil).toBeNull();
}

/** A session that began in this page's browser needs no further step-up, however long the test takes. */
export async function keepStepUp(page: Page, market: TestMarket, id: number): Promise<void> {
  await market.ask("keepStepUp", { id });
  const until = async () => Date.parse((await sessionOf(page, market))?.steppedUpUntil ?? "");
  await expect.poll(until).toBeGreaterThan(Date.now() + HOUR_MS);
}

/** Presses keys one right after the other: on a slow machine two presses by the driver may be too far apart to be a sequence. */
export const pressInTurn = (page: Page, ...keys: string[]): Promise<void> =>
  page.evaluate((all) => {
    for (const key of all) {
      const press = { key, code: `Key${key.toUpperCase()}`, bubbles: true, cancelable: true };
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", press));
    }
  }, keys);

export { expect };
export type { Page, TestMarket };
