import { useEffect, useState } from "react";

let offset = 0;

/** Sets our clock by the server's: a wrong clock on the device must not show a wrong time left. */
export function setClock(serverNow: string): void {
  const server = Date.parse(serverNow);
  if (Number.isFinite(server)) offset = server - Date.now();
}

/** The device's own time, ms: only for how old something kept on this device is. */
export const deviceNow = (): number => Date.now();

/** The market's time, as far as this device knows. */
export const marketNow = (): Date => new Date(Date.now() + offset);

/** The market's time, renewed each minute and when the tab comes back. */
export function useMarketNow(): Date {
  const [now, setNow] = useState(marketNow);
  useEffect(() => {
    const renew = () => setNow(marketNow());
    const timer = setInterval(renew, 60_000);
    document.addEventListener("visibilitychange", renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renew);
    };
  }, []);
  return now;
}
