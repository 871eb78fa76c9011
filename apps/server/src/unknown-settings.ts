import { nearestFinder } from "./modules/imports/nearest.ts";

/** A name that looks like a setting, and the setting that was probably meant. */
export interface UnknownSetting {
  name: string;
  meant: string | null;
}

/** How names begin that are ours; a name with another beginning must be a typing mistake away from a setting. */
const PREFIXES =
  /^(DATABASE|GEOCODER|IDENTIFY|MAIL|MAP_TILES|MARKET|METRICS|MIGRATE|RATE|REGISTRATIONS|S3|SESSION|SMTP|SPECIAL_HUB|STRIPE|SUPPORT|TURNSTILE)_/;

/** Names that systems set: a desktop's session, a user's mail folder, npm's scripts, Postgres's own clients, services of Kubernetes. */
const OTHERS = /^(MAIL|NODE|PG[A-Z]+|SESSION_MANAGER|\w+_SERVICE_(HOST|PORT)\w*|\w+_PORT_\d+_(TCP|UDP)\w*)$/;

/** Names in an environment that are no settings and look like one: `SMPT_URL`, `DEM`, `STRIPE_KEY`. Values are not read. */
export function findUnknownSettings(names: readonly string[], known: readonly string[]): UnknownSetting[] {
  const nearest = nearestFinder(known.map((key) => ({ key, name: null })));
  return names
    .filter((name) => !known.includes(name) && !OTHERS.test(name))
    .map((name) => ({ name, meant: nearest(name) }))
    .filter(({ name, meant }) => meant !== null || PREFIXES.test(name));
}
