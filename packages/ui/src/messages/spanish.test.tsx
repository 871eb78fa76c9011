import { fileURLToPath } from "node:url";

import { renderToStaticMarkup } from "react-dom/server";
import { createServer, defaultServerConditions } from "vite";
import { expect, test } from "vitest";

import type { Pagination } from "../pagination.tsx";
import type { Price } from "../price.tsx";
import type { Stars } from "../stars.tsx";
import type { Stepper } from "../stepper.tsx";
import type { WeekLine } from "../week-line.tsx";
import type * as english from "./en.ts";
import * as spanish from "./es.ts";

/** English texts are constants, whose types are their words. */
type Messages = { [K in keyof typeof english]: (typeof english)[K] extends string ? string : (typeof english)[K] };
// Checked by tsc: the same messages, with parameters of the same types.
spanish satisfies Messages;

/** The kit as a build for the language has it: `#messages` is chosen by a condition of imports. */
async function loadKit(language: string) {
  const conditions = [language, ...defaultServerConditions];
  const server = await createServer({
    root: fileURLToPath(new URL("../..", import.meta.url)),
    configFile: false,
    logLevel: "error",
    appType: "custom",
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    ssr: { resolve: { conditions } },
  });
  try {
    const load = <T,>(path: string) => server.ssrLoadModule(path) as Promise<T>;
    return {
      ...(await load<{ Pagination: typeof Pagination }>("/src/pagination.tsx")),
      ...(await load<{ Price: typeof Price }>("/src/price.tsx")),
      ...(await load<{ Stars: typeof Stars }>("/src/stars.tsx")),
      ...(await load<{ Stepper: typeof Stepper }>("/src/stepper.tsx")),
      ...(await load<{ WeekLine: typeof WeekLine }>("/src/week-line.tsx")),
    };
  } finally {
    await server.close();
  }
}

test("kit: built for Spanish, its components are in Spanish, with its plurals and weekdays", async () => {
  const { Pagination, Price, Stars, Stepper, WeekLine } = await loadKit("es");
  const ignore = () => undefined;
  const html = renderToStaticMarkup(
    <>
      <Stepper look="line" name="huevos" quantity={1} max={3} onChange={ignore} />
      <Stars rating={4.5} count={1} />
      <Stars rating={4} count={38} />
      <Price price={14.5} salePrice={11} />
      <Pagination label="Páginas" page={1} pages={2} href={String} onSelect={ignore} />
      <WeekLine
        now={new Date("2026-11-23T18:00:00Z")}
        zone="America/Chicago"
        cutoff={new Date("2026-11-25T07:00:00Z")}
        deliveryDate="2026-11-26"
      />
    </>,
  );
  const labels = [...html.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label);
  expect(labels).toEqual([
    "Cantidad de huevos",
    "Quitar huevos",
    "Agregar una unidad de huevos",
    "4.5 de 5 estrellas, 1 opinión",
    "4 de 5 estrellas, 38 opiniones",
    "Páginas",
    "Página 1",
    "Página 2",
  ]);
  const words = html.replaceAll(/<[^>]*>/g, " ");
  expect(words).toMatch(/\$11\.00\s+, antes\s+\$14\.50/);
  expect(words).toMatch(/sáb\s+dom\s+Hoy\s+mar\s+Pedir antes\s+jue\s+vie\s*$/);
});
