import type { Plugin } from "vite";

const order = "@layer reset,tokens,base,components,utilities;";

/**
 * Says the order of the layers at the head of every stylesheet: the first one to arrive decides it, and which one that
 * is depends on how the code was split.
 */
export function layerOrder(): Plugin {
  return {
    name: "marketday:layer-order",
    apply: "build",
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === "asset" && file.fileName.endsWith(".css")) file.source = order + String(file.source);
    },
  };
}
