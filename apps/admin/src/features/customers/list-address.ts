/** The address of the list with another text or page; a new text is looked for from its first page on. */
export function withSearch(path: string, search: string, change: { text?: string; page?: number }): string {
  const params = new URLSearchParams(search);
  if (change.text !== undefined) {
    params.delete("page");
    if (change.text.trim() === "") params.delete("q");
    else params.set("q", change.text);
  }
  if (change.page !== undefined) {
    if (change.page === 1) params.delete("page");
    else params.set("page", String(change.page));
  }
  const query = params.toString();
  return query === "" ? path : `${path}?${query}`;
}
