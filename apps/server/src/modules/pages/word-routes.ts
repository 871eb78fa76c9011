import type { Deps } from "../../deps.ts";
import { contactHead } from "./heads.ts";
import { made, pageAsked, type PagesByUrl } from "./page-kinds.ts";
import { aboutPage, blogPage, contentPage, faqPage, postPage } from "./word-pages.ts";

/** Addresses of pages that are made of words. */
export const wordPagesOf = (deps: Deps): PagesByUrl => {
  const words = (slug: string, path: string, screen: string) => ({
    feed: true,
    page: made((_request, boot) =>
      contentPage(deps, boot, slug, { path, chunk: `src/features/content/${screen}.tsx` }),
    ),
  });
  /** The same words in a frame. */
  const framed = (slug: string, path: string, screen: string) => ({
    feed: false,
    page: made((_request, boot) =>
      contentPage(deps, boot, slug, { path, chunk: `src/frames/words/${screen}.tsx`, framed: true }),
    ),
  });
  return {
    "/about": {
      feed: true,
      page: made((request, boot, base) => aboutPage(deps, boot, pageAsked(request), request.now, base)),
    },
    "/blog": {
      feed: true,
      page: made((request, boot) => blogPage(deps, boot, pageAsked(request), request.now)),
    },
    "/blog/:id": {
      feed: true,
      page: made((request, boot, base) =>
        postPage(deps, boot, (request.params as { id: string }).id, request.now, base),
      ),
    },
    "/faq": { feed: true, page: made((_request, boot) => faqPage(deps, boot)) },
    "/help": words("help", "/help", "help-page"),
    "/jobs": words("jobs", "/jobs", "jobs-page"),
    "/driver-application": words("driver-application", "/driver-application", "driver-application-page"),
    "/join": words("become-a-vendor", "/join", "join-overlay"),
    "/terms": words("terms", "/terms", "terms-overlay"),
    "/privacy": words("privacy", "/privacy", "privacy-overlay"),
    "/contact-us": { feed: true, page: (_request, boot) => contactHead(boot) },
    "/embed/faq": { feed: false, page: made((_request, boot) => faqPage(deps, boot, true)) },
    "/embed/terms": framed("terms", "/terms", "terms-frame"),
    "/embed/privacy": framed("privacy", "/privacy", "privacy-frame"),
    "/embed/become-a-vendor": framed("become-a-vendor", "/join", "become-a-vendor-frame"),
  };
};
