/** Whether this browser is older than the app needs (`public/assets/first-1.js`): then the server's page stays. */
export const isOldBrowser = document.documentElement.hasAttribute("data-old-browser");
