/** The whole address of a path of ours. */
export const shareUrl = (path: string, origin: string): string => new URL(path, origin).href;

export interface ShareTarget {
  name: string;
  /** The letters on its row. */
  mark: string;
  href: string;
}

const withQuery = (base: string, query: Record<string, string | undefined>): string => {
  const url = new URL(base);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
};

/** Where a link can be posted, in the spec's order: each opens the service's own page with the link filled in. */
export const shareTargets = (url: string, title: string, picture?: string): ShareTarget[] => [
  { name: "Facebook", mark: "f", href: withQuery("https://www.facebook.com/sharer/sharer.php", { u: url }) },
  { name: "Twitter", mark: "t", href: withQuery("https://twitter.com/intent/tweet", { url, text: title }) },
  { name: "LinkedIn", mark: "in", href: withQuery("https://www.linkedin.com/sharing/share-offsite/", { url }) },
  {
    name: "Pinterest",
    mark: "P",
    href: withQuery("https://www.pinterest.com/pin/create/button/", { url, description: title, media: picture }),
  },
];
