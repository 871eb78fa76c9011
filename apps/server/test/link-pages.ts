/** Every page that a link in a mail opens and whose form is posted: each is tried in a browser (`links.e2e.ts`). */
export const LINK_PAGES = [
  "/account/data/:token",
  "/account/email/:token",
  "/answer/:token",
  "/farm/:token",
  "/unsubscribe/:token",
] as const;
export type LinkPageUrl = (typeof LINK_PAGES)[number];
