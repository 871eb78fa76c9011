/** A text for `contains`, `startsWith` and `endsWith` of the client, which take `%` and `_` for wildcards, as `like` does. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
