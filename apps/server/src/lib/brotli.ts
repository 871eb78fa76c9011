import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);

/** How text is compressed with Brotli. */
export const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

/** The largest meta-block that has a length of 16 bits. */
const BLOCK_MAX = 65_536;
/** An empty last meta-block. */
const END = Buffer.from([0x03]);

/** The first part of a Brotli stream, which ends at a whole byte: `brotliEnd` must follow. */
export const brotliStart = (text: string): Promise<Buffer> =>
  compress(text, { ...BROTLI, finishFlush: constants.BROTLI_OPERATION_FLUSH });

/** The rest of a Brotli stream after `brotliStart`: the text uncompressed (RFC 7932 §9.2), and the end. */
export function brotliEnd(text: string): Buffer {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += BLOCK_MAX) {
    const block = bytes.subarray(from, from + BLOCK_MAX);
    // From the lowest bit: not the last block, a length of 4 nibbles, the length less one, uncompressed.
    const head = ((block.length - 1) << 3) | (1 << 19);
    parts.push(Buffer.from([head & 255, (head >> 8) & 255, head >> 16]), block);
  }
  return Buffer.concat([...parts, END]);
}
