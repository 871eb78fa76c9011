const typed = new Set<HTMLInputElement | HTMLTextAreaElement>();

/** Remembers every field somebody types into. Returns what stops it. */
export function watchTyping(): () => void {
  const onInput = ({ target }: Event) => {
    if (target instanceof HTMLTextAreaElement) typed.add(target);
    if (target instanceof HTMLInputElement && !["radio", "checkbox"].includes(target.type)) typed.add(target);
  };
  document.addEventListener("input", onInput, true);
  return () => document.removeEventListener("input", onInput, true);
}

/** Whether a reload would lose something: typed text still on screen, or a frame (checkout) that is open. */
export function isBusy(): boolean {
  for (const field of typed) if (!field.isConnected) typed.delete(field);
  return [...typed].some(({ value }) => value !== "") || document.querySelector("iframe") !== null;
}
