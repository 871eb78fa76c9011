/** What the test files of a worker share, because they run in one process (`isolate: false`). */
interface ProcessState {
  env: Map<string, string | undefined>;
  folder: string;
  globals: Map<string, PropertyDescriptor>;
}

/** Variables and globals that vitest sets for a file. */
const ofVitest = /^_*vite(st)?/i;
/**
 * What libraries set when they are loaded, which is once for a worker: libvips its variable; Prisma, zod and
 * prisma/src/schema-engine.ts their globals.
 */
const ofLibraries = /^(VIPSHOME|DEBUG|DEBUG_COLORS|NODE_CLIENT|PRISMA_.+|__dirname|__zod_.+|marketdaySchemaEngine)$/;
/** The helpers of tslib, which @simplewebauthn/server loads with its first challenge. */
const ofTslib =
  /^__(extends|assign|rest|decorate|param|esDecorate|runInitializers|propKey|setFunctionName|metadata|awaiter|generator|exportStar|createBinding|values|read|spread|spreadArrays|spreadArray|await|asyncGenerator|asyncDelegator|asyncValues|makeTemplateObject|importStar|importDefault|classPrivateFieldGet|classPrivateFieldSet|classPrivateFieldIn|addDisposableResource|disposeResources|rewriteRelativeImportExtension)$/;
const isOurs = (name: string) => [ofVitest, ofLibraries, ofTslib].every((pattern) => !pattern.test(name));

function readFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "a removed folder";
  }
}

export function readProcessState(): ProcessState {
  const ours = <T>(all: Record<string, T>) => Object.entries(all).filter(([name]) => isOurs(name));
  return {
    env: new Map(ours(process.env)),
    folder: readFolder(),
    globals: new Map(ours(Object.getOwnPropertyDescriptors(globalThis) as Record<string, PropertyDescriptor>)),
  };
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
  for (const name of new Set([...before.env.keys(), ...now.env.keys()])) {
    const value = before.env.get(name);
    if (now.env.get(name) === value) continue;
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
    found.push(`process.env.${name} is left ${now.env.get(name) === undefined ? "unset" : "set"}: use vi.stubEnv.`);
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
