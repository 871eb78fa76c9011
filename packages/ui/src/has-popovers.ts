/** Whether elements can be shown above everything: Safari from 17 on, Chrome 114, Firefox 125. */
export const hasPopovers = (): boolean => "showPopover" in HTMLElement.prototype;
