/** What the test files of a worker share, because they run in one process (`isolate: false`). */
interface ProcessState {
  env: Record<string, string | undefined>;
  folder: string;
  globals: Map<string, PropertyDescriptor>;
}

/** Set by vitest for a file. */
const ofVitest = /^_*vite(st)?/i;
/** Set by Prisma, zod and prisma/src/schema-engine.ts when they are loaded, which is once for a worker. */
const ofLibraries = /^(DEBUG|DEBUG_COLORS|NODE_CLIENT|PRISMA_.+|__dirname|__zod_.+|marketdaySchemaEngine)$/;

export function readProcessState(): ProcessState {
  const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(
    ([name]) => !ofVitest.test(name) && !ofLibraries.test(name),
  );
  return { env: { ...process.env }, folder: process.cwd(), globals: new Map(globals) };
}

/**
 * Resets what differs from `before`, and returns a sentence for each difference. A global that is computed when it is first read
 * (`fetch`, `crypto`) is no difference.
 */
export function restoreProcessState(before: ProcessState): string[] {
  const now = readProcessState();
  const found: string[] = [];
  if (now.folder !== before.folder) {
    process.chdir(before.folder);
    found.push(`process.cwd() is ${now.folder}, not ${before.folder}: change it back in afterAll.`);
  }
  for (const name of new Set([...Object.keys(before.env), ...Object.keys(now.env)])) {
    const value = before.env[name];
    if (ofVitest.test(name) || now.env[name] === value) continue;
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
    found.push(`process.env.${name} is left ${now.env[name] === undefined ? "unset" : "set"}: use vi.stubEnv.`);
  }
  for (const name of new Set([...before.globals.keys(), ...now.globals.keys()])) {
    const descriptor = before.globals.get(name);
    const isLazy = descriptor !== undefined && !("value" in descriptor);
    if (isLazy || Object.is(descriptor?.value, now.globals.get(name)?.value)) continue;
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    else Reflect.deleteProperty(globalThis, name);
    found.push(`globalThis.${name} is left ${descriptor ? "changed" : "behind"}: use vi.stubGlobal.`);
  }
  return found;
}
