import type { FastifyInstance } from "fastify";

import { createRenderer, formats, widths, type Format, type RendererOptions, type Width } from "./render.ts";

const types: Record<Format, string> = { avif: "image/avif", webp: "image/webp", jpg: "image/jpeg" };

/** The width and format of `480.avif`; null for any other name. */
function parseFile(file: string): { width: Width; format: Format } | null {
  const [name, ending, ...rest] = file.split(".");
  const width = widths.find((value) => String(value) === name);
  const format = formats.find((value) => value === ending);
  return width && format && rest.length === 0 ? { width, format } : null;
}

/**
 * `GET /img/{id}/{width}.{format}`: a picture in one of its sizes (docs/product.md §2), cached without limit because the id
 * is the hash of the content. Unknown pictures, sizes and formats are 404.
 */
export async function picturesRoutes(app: FastifyInstance, options: RendererOptions): Promise<void> {
  const render = createRenderer(options);
  app.get<{ Params: { id: string; file: string } }>(
    "/img/:id/:file",
    { config: { session: "none" }, schema: { hide: true } },
    async (request, reply) => {
      const size = parseFile(request.params.file);
      if (!size || !/^[0-9a-f]{16}$/.test(request.params.id)) return reply.callNotFound();
      const bytes = await render(request.params.id, size.width, size.format);
      if (!bytes) return reply.callNotFound();
      return reply
        .header("cache-control", "public, max-age=31536000, immutable")
        .header("x-content-type-options", "nosniff")
        .header("content-security-policy", "default-src 'none'")
        .type(types[size.format])
        .send(bytes);
    },
  );
}
