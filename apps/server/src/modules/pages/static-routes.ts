import type { Deps } from "../../deps.ts";
import { contactHead } from "./meta-tags.ts";
import { staticPage, pageNumberOf, type PagesByUrl } from "./page-kinds.ts";
import type { WebFile } from "./shell.ts";
import { aboutPage, blogPage, contentPage, faqPage, postPage } from "./static-pages.ts";

/** Routes of static pages. */
export const staticPagesOf = (deps: Deps): PagesByUrl => {
  const content = (slug: string, path: string, chunk: WebFile) => ({
    feed: true,
    page: staticPage((_request, boot) => contentPage(deps, boot, slug, { path, chunk })),
  });
  /** The same page as a frame. */
  const framed = (slug: string, path: string, chunk: WebFile) => ({
    feed: false,
    page: staticPage((_request, boot) => contentPage(deps, boot, slug, { path, chunk, framed: true })),
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
    "/help": content("help", "/help", "src/features/content/help-page.tsx"),
    "/jobs": content("jobs", "/jobs", "src/features/content/jobs-page.tsx"),
    "/driver-application": content(
      "driver-application",
      "/driver-application",
      "src/features/content/driver-application-page.tsx",
    ),
    "/join": content("become-a-vendor", "/join", "src/features/content/join-overlay.tsx"),
    "/terms": content("terms", "/terms", "src/features/content/terms-overlay.tsx"),
    "/privacy": content("privacy", "/privacy", "src/features/content/privacy-overlay.tsx"),
    "/contact-us": { feed: true, page: (_request, boot) => contactHead(boot) },
    "/embed/faq": { feed: false, page: staticPage((_request, boot) => faqPage(deps, boot, true)) },
    "/embed/terms": framed("terms", "/terms", "src/frames/words/terms-frame.tsx"),
    "/embed/privacy": framed("privacy", "/privacy", "src/frames/words/privacy-frame.tsx"),
    "/embed/become-a-vendor": framed("become-a-vendor", "/join", "src/frames/words/become-a-vendor-frame.tsx"),
  };
};
