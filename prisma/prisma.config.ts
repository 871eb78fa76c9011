import { defineConfig } from "prisma/config";

/** For the ordinary Prisma CLI on a networked machine; our own scripts read the same folders. */
export default defineConfig({
  schema: ".",
  migrations: { path: "migrations" },
  datasource: { url: process.env["DATABASE_URL"] ?? "" },
});
