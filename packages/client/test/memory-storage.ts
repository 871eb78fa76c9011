/** A tab's storage, whose keys are its own properties, as a browser's are. */
export class MemoryStorage {
  getItem(key: string): string | null {
    return (this as Record<string, unknown>)[key] === undefined ? null : String((this as Record<string, unknown>)[key]);
  }
  setItem(key: string, value: string): void {
    (this as Record<string, unknown>)[key] = value;
  }
  removeItem(key: string): void {
    delete (this as Record<string, unknown>)[key];
  }
}
