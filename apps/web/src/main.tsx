import { start } from "./app/start.tsx";
import { isOldBrowser } from "./lib/old-browser.ts";

const root = document.getElementById("root");
if (root && !isOldBrowser) start(root);
