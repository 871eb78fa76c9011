/** A link to a page of ours opens in the shop around the frame: a page of the shop is never shown inside a frame. */
export const followFromFrame = (path: string): void => {
  (window.top ?? window).location.assign(path);
};
