import { screenMessages } from "../../lib/screen-messages.ts";

/** Asks the browser where it is. Fails with the spec's sentences, as the message of the error. */
export function locate(): Promise<{ lat: number; lng: number }> {
  return new Promise((found, fail) => {
    if (!("geolocation" in navigator)) return fail(new Error(screenMessages.noGeolocation));
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => found({ lat: coords.latitude, lng: coords.longitude }),
      () => fail(new Error(screenMessages.locationFailed)),
      { timeout: 15_000, maximumAge: 10 * 60_000 },
    );
  });
}
