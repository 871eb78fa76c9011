/** The import rules (CONTRIBUTING.md): domain <- contracts <- { server, client }; { ui, client } <- { web, admin }; ui <- client; db <- server <- scripts. */
const tests = "(^|/)(test|e2e|build)/|\\.(test|spec)\\.tsx?$|(^|/)(vite|vitest|playwright|prisma)\\.config\\.ts$";
const our = {
  domain: "^packages/domain/",
  contracts: "^packages/contracts/",
  ui: "^packages/ui/",
  client: "^packages/client/",
  db: "^prisma/",
  server: "^apps/server/",
  web: "^apps/web/",
  admin: "^apps/admin/",
  scripts: "^scripts/",
};

/** The floors of each browser app: each imports only from those before it. */
const floors = {
  web: ["lib", "navigation", "features", "frames", "app"],
  admin: ["lib", "features", "app"],
};

/**
 * The layers of the server, lowest first (docs/architecture.md). A layer has one or more rows. A module imports only from the rows
 * before its own: not from its own row, so that modules form no cycle. A name is a module, or else a folder or file of
 * apps/server/src.
 */
const serverLayers = [
  [["lib", "gateways", "deps.ts", "env.ts", "setting-values.ts", "setting-warnings.ts", "settings.ts"]],
  [
    ["identity", "mail", "sign-in-events"],
    ["audit", "health", "job-failures"],
    ["hubs", "pictures", "staff", "staff-actions"],
    ["audit-log", "staff-sign-in"],
  ],
  [
    ["banners", "descriptions", "ledger", "products", "stock"],
    ["bundles", "collections", "content", "feed", "referrals", "suggestions"],
    ["payments", "vendors"],
    ["favorites", "search", "wagon-pass"],
    ["profile"],
  ],
  [
    ["answers", "cart", "gift-cards", "leads", "orders", "surveys"],
    ["auth", "inbox", "problems", "questions", "reviews", "shorts"],
    ["account"],
  ],
  [
    ["checkout", "door", "imports", "week"],
    ["harvest", "subscriptions"],
  ],
  [
    ["backup", "doctor", "jobs", "pages"],
    ["bulk", "customers", "today"],
    ["admin-inbox", "order-list"],
    ["offers", "settings"],
    ["plugins"],
    ["admin-api.ts", "app.ts", "changes.ts", "create-deps.ts", "main.ts"],
  ],
];

/** What is not a module in `serverLayers`. */
const notModules = /^(lib|gateways|jobs|plugins|.*\.ts)$/;
const group = (names) => `(${names.map((name) => name.replaceAll(".", "\\.")).join("|")})`;
const modulesIn = (names) => names.filter((name) => !notModules.test(name));
const othersIn = (names) => names.filter((name) => notModules.test(name));
/** Patterns of the files of these names. */
const serverFiles = (names) =>
  [
    modulesIn(names).length > 0 && `^apps/server/src/modules/${group(modulesIn(names))}/`,
    othersIn(names).length > 0 && `^apps/server/src/${group(othersIn(names))}(/|$)`,
  ].filter(Boolean);

/** For each row: no import from a later row, and no import between two modules of the row. */
const serverRules = serverLayers
  .flatMap((rows, layer) => rows.map((names, place) => ({ names, name: `server-layer-${layer}-row-${place + 1}` })))
  .flatMap(({ names, name }, place, all) => {
    const above = all.slice(place + 1).flatMap((row) => row.names);
    const modules = modulesIn(names);
    return [
      ...(above.length > 0
        ? [
            {
              name: `${name}-imports-only-lower`,
              comment: "The layers of docs/architecture.md.",
              severity: "error",
              from: { path: serverFiles(names), pathNot: tests },
              to: { path: serverFiles(above) },
            },
          ]
        : []),
      ...(modules.length > 1
        ? [
            {
              name: `${name}-has-no-imports-within`,
              comment: "Modules of one row do not import each other (docs/architecture.md).",
              severity: "error",
              from: { path: `^apps/server/src/modules/${group(modules)}/`, pathNot: tests },
              to: { path: `^apps/server/src/modules/${group(modules)}/`, pathNot: "^apps/server/src/modules/$1/" },
            },
          ]
        : []),
    ];
  });

/** `from` imports none of our own packages but itself and those named. */
const only = (name, allowed) => ({
  name: `${name}-imports-${allowed.length > 0 ? allowed.join("-and-") : "nothing-of-ours"}`,
  severity: "error",
  from: { path: our[name], pathNot: tests },
  to: {
    path: Object.values(our),
    pathNot: [name, ...allowed].map((each) => our[each]),
  },
});

module.exports = {
  serverLayers,
  forbidden: [
    ...serverRules,
    only("domain", []),
    only("contracts", ["domain"]),
    only("ui", ["domain"]),
    only("client", ["domain", "contracts", "ui"]),
    only("db", []),
    only("server", ["domain", "contracts", "db"]),
    only("web", ["domain", "contracts", "ui", "client"]),
    only("admin", ["domain", "contracts", "ui", "client"]),
    only("scripts", ["domain", "contracts", "db", "server"]),
    ...Object.entries(floors).flatMap(([app, names]) =>
      names.slice(0, -1).map((floor, place) => ({
        name: `${app}-${floor}-imports-nothing-above`,
        comment: "The order of apps/web/src (apps/web/README.md) and apps/admin/src.",
        severity: "error",
        from: { path: `^apps/${app}/src/${floor}/` },
        to: { path: `^apps/${app}/src/(${names.slice(place + 1).join("|")})/` },
      })),
    ),
    {
      name: "no-cycles",
      comment: "Imports of types count, too.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "only-db-names-prisma",
      comment: "Prisma's client is reached through @marketday/db.",
      severity: "error",
      from: { pathNot: our.db },
      to: { path: ["node_modules/@prisma/", "node_modules/prisma/", "^prisma/generated/", "^prisma/src/adapter"] },
    },
    {
      name: "domain-is-pure",
      comment: "From npm only what is pure; no Node module either, because the web runs it too.",
      severity: "error",
      from: { path: our.domain, pathNot: tests },
      to: {
        dependencyTypes: ["npm", "npm-dev", "npm-optional", "npm-peer", "npm-no-pkg", "npm-unknown", "core"],
        pathNot:
          "node_modules/(temporal-polyfill|temporal-spec|temporal-utils|@turf|flatbush|robust-predicates|dinero\\.js|@types|geojson)",
      },
    },
    {
      name: "contracts-are-zod-and-domain",
      severity: "error",
      from: { path: our.contracts, pathNot: tests },
      to: {
        dependencyTypes: ["npm", "npm-dev", "npm-optional", "npm-peer", "npm-no-pkg", "npm-unknown", "core"],
        pathNot: "node_modules/zod/",
      },
    },
    {
      name: "tests-only-from-tests",
      comment: "failures L8: failpoints and factories reach the product through deps, never by import.",
      severity: "error",
      from: { pathNot: [tests, "^scripts/"] },
      to: { path: "(^|/)test/|\\.test\\.tsx?$", pathNot: "node_modules" },
    },
    {
      name: "everything-is-found",
      severity: "error",
      from: { pathNot: "\\.css$" },
      to: { couldNotResolve: true, pathNot: "^virtual:|\\?(raw|url|worker|inline)$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|var)/|^prisma/generated/(models|internal)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "types", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".json", ".css"],
    },
  },
};
