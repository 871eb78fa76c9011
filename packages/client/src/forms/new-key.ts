/** A key for one try and its repetitions: 128 random bits. Not `crypto.randomUUID`: plain http on a LAN has none. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
