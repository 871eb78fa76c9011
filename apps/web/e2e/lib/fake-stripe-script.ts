import type { Page } from "@playwright/test";

import type { TestMarket } from "./fixtures.ts";

/** Of a frame with the script: how many tokens were made, and what the next one waits for. */
export interface FakeStripeWindow {
  tokensMade?: number;
  tokenMayCome?: Promise<void>;
  letTokenCome?: () => void;
}

/**
 * What `https://js.stripe.com/…` answers in the tests: a script with the calls the frames use. Its form is one field with
 * a card number; the bank's question is two buttons over the page.
 */
const SCRIPT = `
window.Stripe = (key) => ({
  _registerWrapper() {},
  registerAppInfo() {},
  elements(options) {
    const state = { options, number: "" };
    const on = {};
    return {
      state,
      update(next) { Object.assign(state.options, next); },
      async submit() { return state.number.length < 12 ? { error: { message: "Your card number is incomplete." } } : {}; },
      create() {
        let box = null;
        return {
          on(name, run) { on[name] = run; },
          mount(place) {
            box = document.createElement("label");
            box.textContent = "Card number ";
            const input = document.createElement("input");
            input.addEventListener("input", () => { state.number = input.value.replace(/ /g, ""); on.change && on.change({}); });
            box.append(input);
            place.append(box);
            on.ready && on.ready();
          },
          destroy() { box && box.remove(); },
        };
      },
    };
  },
  async createConfirmationToken({ elements }) {
    window.tokensMade = (window.tokensMade || 0) + 1;
    await window.tokenMayCome;
    return { confirmationToken: { id: "ctoken_" + elements.state.number + "_" + Math.random().toString(36).slice(2) } };
  },
  handleNextAction({ clientSecret }) {
    return new Promise((resolve) => {
      const dialog = document.createElement("dialog");
      dialog.setAttribute("aria-label", "Your bank");
      for (const [words, approve] of [["Yes, it is me", true], ["No", false]]) {
        const button = document.createElement("button");
        button.textContent = words;
        button.addEventListener("click", async () => {
          await fetch("https://api.stripe.com/stand-in", { method: "POST", body: JSON.stringify({ secret: clientSecret, approve }) });
          dialog.remove();
          resolve({});
        });
        dialog.append(button);
      }
      document.body.append(dialog);
      dialog.showModal();
    });
  },
});
window.Stripe.version = "stand-in";
`;

/** Puts the stand-in where Stripe's script would come from. */
export async function fakeStripeScript(page: Page, market: TestMarket): Promise<void> {
  await page.route("https://js.stripe.com/**", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: SCRIPT,
      headers: { "cross-origin-resource-policy": "cross-origin" },
    }),
  );
  await page.route("https://api.stripe.com/**", async (route) => {
    await market.ask(
      "answerBank",
      JSON.parse(route.request().postData() ?? "{}") as { secret: string; approve: boolean },
    );
    await route.fulfill({ body: "{}", headers: { "access-control-allow-origin": "*" } });
  });
}
