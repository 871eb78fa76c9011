import { expect, test, vi } from "vitest";

import { demoCommand } from "./demo.ts";

test("--dry-run says what would be written and needs no database", async () => {
  const log = vi.spyOn(console, "log").mockReturnValue();
  try {
    await demoCommand().parseAsync(["--dry-run", "--json"], { from: "user" });
    const said = JSON.parse(String(log.mock.calls[0]?.[0])) as { week: string; rows: Record<string, number> };
    expect(said.week).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(said.rows).toMatchObject({ hub: 6, vendor: 60, product: 1200 });
  } finally {
    log.mockRestore();
  }
});

test("its help says that a market with something in it is refused", () => {
  let help = "";
  const command = demoCommand().configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  expect(help).toContain("--dry-run");
  expect(help).toContain("refused");
});
