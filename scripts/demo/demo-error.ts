/** A market that cannot be filled; the message is one sentence for people. Separate from `fill.ts`, which loads the demo's data. */
export class DemoError extends Error {}
