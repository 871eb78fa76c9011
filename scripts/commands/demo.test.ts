import { expect, test, vi } from "vitest";

import { demoCommand } from "./demo.ts";

test("demo: --dry-run prints what would be written and needs no database", async () => {
  const log = vi.spyOn(console, "log").mockReturnValue();
  try {
    await demoCommand().parseAsync(["--dry-run", "--json"], { from: "user" });
    const result = JSON.parse(String(log.mock.calls[0]?.[0])) as { week: string; rows: Record<string, number> };
    expect(result.week).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(result.rows).toMatchObject({ hub: 6, vendor: 60, product: 1200 });
  } finally {
    log.mockRestore();
  }
});

test("demo: the help page says that a market with other data is refused", () => {
  let help = "";
  const command = demoCommand().configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  expect(help).toContain("--dry-run");
  expect(help).toContain("refused");
});
