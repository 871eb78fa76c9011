/** A market that cannot be filled; the message is one sentence for people. */
export class DemoError extends Error {}
