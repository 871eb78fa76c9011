/** The import rules (CONTRIBUTING.md): domain <- contracts <- { server, web }; db <- server <- scripts. */
const tests = "(^|/)(test|e2e|build)/|\\.(test|spec)\\.tsx?$|(^|/)(vite|vitest|playwright|prisma)\\.config\\.ts$";
const our = {
  domain: "^packages/domain/",
  contracts: "^packages/contracts/",
  db: "^prisma/",
  server: "^apps/server/",
  web: "^apps/web/",
  scripts: "^scripts/",
};

/** The floors of the web app: each imports only from those before it. */
const floors = ["(ui|lib)", "navigation", "features", "frames", "app"];

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
  forbidden: [
    only("domain", []),
    only("contracts", ["domain"]),
    only("db", []),
    only("server", ["domain", "contracts", "db"]),
    only("web", ["domain", "contracts"]),
    only("scripts", ["domain", "contracts", "db", "server"]),
    ...floors.slice(0, -1).map((floor, place) => ({
      name: `web-${floor.replace(/[()]/g, "").replace("|", "-and-")}-imports-nothing-above`,
      comment: "The order of apps/web/src (apps/web/README.md).",
      severity: "error",
      from: { path: `^apps/web/src/${floor}/` },
      to: { path: `^apps/web/src/(${floors.slice(place + 1).join("|")})/` },
    })),
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
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
          "node_modules/(temporal-polyfill|temporal-spec|temporal-utils|@turf|flatbush|dinero\\.js|@types|geojson)",
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
