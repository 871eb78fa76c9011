// The frame around every screen, in English.

export const pageFailed =
  "Nothing that was saved is lost. Reload the page; if that doesn’t help, look at the server’s log.";
