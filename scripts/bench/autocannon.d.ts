/** The part of autocannon that is used here; the package has no types. */
declare module "autocannon" {
  interface Request {
    method: string;
    path: string;
    headers?: Record<string, string>;
    body?: string;
    /** Changes each request of a connection before it is sent. `context` lives for one pass over the connection's requests. */
    setupRequest?: (request: Request, context: Context) => Request;
    onResponse?: (
      status: number,
      body: string,
      context: Context,
      headers: Record<string, string | string[] | undefined>,
    ) => void;
  }
  type Context = Record<string, Record<string, string>>;
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    headers?: Record<string, string>;
    requests?: Request[];
    /** Called for each connection; it sends its requests one after the other, and then again. */
    setupClient?: (client: { setRequests(requests: Request[]): void }) => void;
  }
  interface Result {
    errors: number;
    non2xx: number;
    /** Seconds it took. */
    duration: number;
    requests: { total: number };
    /** ms */
    latency: { p99: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
