import type { Deps } from "../../deps.ts";
import { marketUrl } from "../../lib/market-url.ts";
import { renderMail } from "./layout.ts";

/** An example has inline styles: its document allows those, runs nothing and loads nothing. */
export const EXAMPLE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** An email with made-up data, as it is sent: a reminder with its link to stop them. Null: there is none with this name. */
export function renderExample({ env, mailTemplates }: Deps, name: string): ReturnType<typeof renderMail> | null {
  const template = Object.hasOwn(mailTemplates, name) ? mailTemplates[name] : undefined;
  if (!template) return null;
  const unsubscribe = template.sort === "reminder" ? `${marketUrl(env)}/unsubscribe/example` : null;
  return renderMail(template.sample(env.marketName), env, unsubscribe);
}
