import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./lib/run.ts";

/** Words that are not used in code, tests, SQL, settings and documents, and what to write instead. */
const REPLACEMENTS: readonly [words: RegExp, instead: string][] = [
  [/\bsaid\b/i, "returned, shown, the result"],
  [/(?<!frequently |vendor-)\basked\b/i, "requested, called, filtered"],
  [/\btold\b/i, "notified, passed, the payload"],
  [/(?<!market\.)\bheard\b/i, "received"],
  [/\banew\b/i, "again, from scratch"],
  [/\b(?:nobody(?!")|somebody)\b/i, "no one, unused, someone, a name of who it is"],
  [/\bwhoever\b/i, "the name of who it is"],
  [/reckon/i, "price, calculate"],
  [/\b(?:letGo|letChargeGo|settleOrLetGo|lets? go|letting go)\b/i, "release (a lease, a hold), void (a charge)"],
  [/\b(?:giveUp|giveBack)\b/, "fail, refund, release"],
  [/(?<!kind: "|["'`])\bstrays?\b/i, "orphaned charge"],
  [/[a-z]Strays?\b|\bStray[A-Z]/, "orphanedCharge"],
  [/\bin one go\b/i, "at once, in one batch"],
  [/\b(?:stands|lies) in\b/i, "is in, is stored in"],
  [/\b(?:by itself|of its own)\b(?! (?:day|row))/i, "automatically, separate"],
  [/\b(?:the only door out|doors and verbs)\b/i, "entry point, serializer, use case"],
  [/\bpnpm (?:arrows|look)\b/, "pnpm lint:imports, pnpm screenshots"],
  [/crowd/i, "many concurrent shoppers, the shoppers"],
  [/\b(?:holdAgain|keepWhatIsLeft|keepLease)\b/, "reacquireHold, capToStock, extendLease"],
  [/\b(?:care-store|noteCare)\b/, "goodwill, an adjustment of the order"],
  [/\b(?:recordAct|same-?act|acts? (?:done )?by hand|log of hands)\b/i, "manual operation, audit entry, audit log"],
  [/(?<!['`]forget-)\bpayers?\b|\bforgetPayers\b/i, "customer, provider customer"],
  [/\b(?:aboutPurchase|aboutAttempt)\b/, "reconcilePurchase, reconcileAttempt"],
  [/\b(?:workOff|wishOf|comesOn)\b/, "processDue…, loadPreferences, isDueOn"],
  [/\brhythm\b/i, "schedule"],
  [/\b(?:MEANS|shiftMs)\b/, "outcomeByErrorCode, clockOffsetMs"],
  [/\b(?:tryOut|TriedOut)\b/, "dryRun, DryRunRollback"],
  [/\b(?:askOutside|outside\.ts|ReceiverAway)\b/, "httpFetch, http-client.ts, ReceiverUnavailable"],
  [/\b(?:inOneGo|handOver|takeTurns)\b/, "batch, enqueue, lock…"],
  [/\b(?:Matter|MATTERS|[a-z]\w*Matter|matterId|(?:a|the|one|this|per) matter)\b/, "subject"],
  [/\b(?:findReader|stopMessages|sayPage)\b/, "findRecipient, unsubscribe, setPageHeaders"],
  [/\b(?:legible|steadily|sure)\(|\brefuse-all\b/, "sanitizeText, confirm, a rejection by its meaning"],
  [/\bdeps\.at\(/, 'failpoint("…")'],
  [/\bpatience\b/i, "timeout factor"],
  [/\bdomain\/at\b/, "getOrThrow"],
  [/\b(?:word-pages|brakes\.test)\b/, "static-pages, rate-limit.test"],
  [/\b(?:postcard|[bB]oot data)\b/, "static fallback, preloaded state"],
  [/\b(?:data-rested|insteadOpen\w*|what lies on)\b/, "off-screen, replace, overlay stack"],
  [/\b(?:FrontLayer|StaleLine|Bone)\b/, "ActiveOverlay, StaleNotice, skeleton item"],
  [/\bplaceless\b/, "publicPage"],
  [/\b(?:IntentQueue|withIntents|QueueOutlets|outlets|goOn)\b/, "pending change, callbacks, flushNext"],
  [/\b(?:stallHue|stallGround|createStall)\b/, "vendor, vendorColor"],
  [/\b[a-z]*Visitor\(|\bvisitorQuery\b/, "session"],
  [/\b(?:sequences|company)\.test\b|test\/sequences\b/, "state-machine.test, concurrency.test"],
  [/\b(?:what (?:a|the) modules? owes?)\b/i, "acceptance table"],
  [/\b(?:ReckonedLine|reckonBasket|nobodyChecksOut)\b/, "PricedLine, holdWithRetry, hasLiveCheckouts"],
  [/\b(?:gathered|flying)\b/, "buffered, in flight"],
  [/\bSTORY_|\bStory(?:Things|Test)|behind the stage/, "end-to-end test, test control channel"],
];

/** Where the words are searched. */
const PATHS = [
  "apps/server/{src,test}/**/*.ts",
  "apps/{web,admin}/*.ts",
  "apps/{web,admin}/{src,e2e,test}/**/*.{ts,tsx}",
  "packages/{client,contracts,domain,ui}/**/*.{ts,tsx,md}",
  "prisma/{src,test}/**/*.ts",
  "prisma/{schema.prisma,models/*.prisma,migrations/*/migration.sql}",
  "scripts/**/*.ts",
  "docs/**/*.md",
  "apps/{web,admin}/{*.md,e2e/*.md}",
  "*.md",
  "apps/{web,admin}/*.html",
  "apps/web/public/*.js",
  "{apps/{web,admin},packages/{client,ui}}/src/**/*.css",
  "{.env.example,Dockerfile,docker-compose.yml,pnpm-workspace.yaml,knip.jsonc,market,.ci/run}",
  "deploy/{market,*.*,container/*,systemd/*}",
];

/** Files that contain the words because they list, test or quote them, or because they may not be edited. */
const LISTS = [
  "scripts/lint-language.ts",
  "scripts/lint-language.test.ts",
  "packages/domain/src/common-passwords.ts",
  "docs/spec.md",
  "prisma/migrations/20261123083000_baseline/migration.sql",
];

/** Each listed word in a text: its line, counted from 1, the word as written, and what to write instead. */
export function findWords(text: string): { line: number; word: string; instead: string }[] {
  return text.split("\n").flatMap((line, index) =>
    REPLACEMENTS.flatMap(([words, instead]) => {
      const match = words.exec(line);
      return match ? [{ line: index + 1, word: match[0], instead }] : [];
    }),
  );
}

/** The listed words in the repository's source, tests and documents, as `path:line "word": write …`. */
export function lintLanguage(base = root): string[] {
  return globSync(PATHS, { cwd: base, exclude: LISTS })
    .toSorted()
    .flatMap((path) =>
      findWords(readFileSync(join(base, path), "utf8")).map(
        ({ line, word, instead }) => `${path}:${line} "${word}": write ${instead}`,
      ),
    );
}

if (import.meta.main) {
  const found = lintLanguage();
  for (const line of found) console.log(line);
  console.log(`${found.length} words to replace (see CONTRIBUTING.md, "Language").`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
