import { loadEnv } from "@marketday/server/env";
import { startServer } from "@marketday/server/main";

import { serveBench } from "./child.ts";

const env = loadEnv();
const server = await startServer(env, { databaseUrl: env.databaseUrl! });
serveBench(server.address, () => server.close());
