/** What we use of autocannon, which comes without types. */
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
    /** Seconds it really took. */
    duration: number;
    requests: { total: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
