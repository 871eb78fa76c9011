/** The part of autocannon that is used here; the package has no types. */
declare module "autocannon" {
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    headers?: Record<string, string>;
    requests?: { method: string; path: string }[];
  }
  interface Result {
    errors: number;
    non2xx: number;
    /** Seconds it took. */
    duration: number;
    requests: { total: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
