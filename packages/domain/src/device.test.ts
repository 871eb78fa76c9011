import { expect, test } from "vitest";

import { deviceName } from "./device.ts";

test.each([
  [
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1",
    "Safari on iPhone",
  ],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/141.0 Mobile Safari/604.1", "Chrome on iPhone"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0 Safari/537.36 Edg/141.0", "Edge on Windows"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 15.0; rv:143.0) Gecko/20100101 Firefox/143.0", "Firefox on Mac"],
  ["Mozilla/5.0 (X11; CrOS x86_64) Chrome/141.0 Safari/537.36", "Chrome on ChromeOS"],
  ["Mozilla/5.0 (X11; Linux x86_64) Qutty/1.0", "Linux"],
  ["Chrome/141.0", "Chrome"],
  ["curl/8.5.0", "Another device"],
  ["", "Another device"],
])("%j is %s", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
