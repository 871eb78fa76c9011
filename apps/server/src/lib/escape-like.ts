/** A text for `like`, and for `contains`, `startsWith` and `endsWith` of the client, where `%` and `_` would be wildcards. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
