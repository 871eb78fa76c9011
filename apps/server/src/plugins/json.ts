import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import { AppError } from "../lib/app-error.ts";
import { strictJson } from "../lib/strict-json.ts";

/** The accepted content type. The only parameter is the charset, UTF-8. */
const JSON_TYPE = /^application\/json(?:[\t ]*;[\t ]*charset="?utf-8"?)?[\t ]*$/i;

/** Parser for the only accepted body: JSON in UTF-8, parsed strictly. Similar content types are a 415 (failures.md I10). */
export default fp(
  async (app: FastifyInstance) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      "application/json",
      { parseAs: "buffer" },
      async (request: FastifyRequest, body: Buffer) => {
        if (!JSON_TYPE.test(request.headers["content-type"] ?? ""))
          throw new AppError(415, "Send JSON.", { code: "unsupported_media_type" });
        if ((request.headers["content-encoding"] ?? "identity") !== "identity")
          throw new AppError(415, "Send the JSON uncompressed.", { code: "unsupported_media_type" });
        return strictJson(body);
      },
    );
  },
  { name: "json" },
);
