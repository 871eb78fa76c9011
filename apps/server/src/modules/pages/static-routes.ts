import type { Deps } from "../../deps.ts";
import { contactHead } from "./meta-tags.ts";
import { staticPage, pageNumberOf, type PagesByUrl } from "./page-kinds.ts";
import { aboutPage, blogPage, contentPage, faqPage, postPage } from "./static-pages.ts";

/** Routes of static pages. */
export const staticPagesOf = (deps: Deps): PagesByUrl => {
  const content = (slug: string, path: string, screen: string) => ({
    feed: true,
    page: staticPage((_request, boot) =>
      contentPage(deps, boot, slug, { path, chunk: `src/features/content/${screen}.tsx` }),
    ),
  });
  /** The same page as a frame. */
  const framed = (slug: string, path: string, screen: string) => ({
    feed: false,
    page: staticPage((_request, boot) =>
      contentPage(deps, boot, slug, { path, chunk: `src/frames/words/${screen}.tsx`, framed: true }),
    ),
  });
  return {
    "/about": {
      feed: true,
      page: staticPage((request, boot, base) => aboutPage(deps, boot, pageNumberOf(request), request.now, base)),
    },
    "/blog": {
      feed: true,
      page: staticPage((request, boot) => blogPage(deps, boot, pageNumberOf(request), request.now)),
    },
    "/blog/:id": {
      feed: true,
      page: staticPage((request, boot, base) =>
        postPage(deps, boot, (request.params as { id: string }).id, request.now, base),
      ),
    },
    "/faq": { feed: true, page: staticPage((_request, boot) => faqPage(deps, boot)) },
    "/help": content("help", "/help", "help-page"),
    "/jobs": content("jobs", "/jobs", "jobs-page"),
    "/driver-application": content("driver-application", "/driver-application", "driver-application-page"),
    "/join": content("become-a-vendor", "/join", "join-overlay"),
    "/terms": content("terms", "/terms", "terms-overlay"),
    "/privacy": content("privacy", "/privacy", "privacy-overlay"),
    "/contact-us": { feed: true, page: (_request, boot) => contactHead(boot) },
    "/embed/faq": { feed: false, page: staticPage((_request, boot) => faqPage(deps, boot, true)) },
    "/embed/terms": framed("terms", "/terms", "terms-frame"),
    "/embed/privacy": framed("privacy", "/privacy", "privacy-frame"),
    "/embed/become-a-vendor": framed("become-a-vendor", "/join", "become-a-vendor-frame"),
  };
};
