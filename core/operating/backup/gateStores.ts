import type { InProcess } from "../../sources/index.ts";
import { type GatedPlugin, gateWrites } from "./gateWrites.ts";

/** Wraps every plugin of this process so that its writes can be held back. */
export function gateStores(opened: InProcess): {
  readonly plugins: InProcess;
  /**
   * Returns a gated plugin.
   * @throws {Error} if the plugin does not exist
   */
  store(slug: string): GatedPlugin & { readonly slug: string };
} {
  const gates = new Map([...opened.plugins].map(([slug, plugin]) => [slug, gateWrites(plugin)]));
  const plugins = new Map([...gates].map(([slug, { plugin }]) => [slug, plugin]));
  return {
    plugins: { plugins, close: () => opened.close() },
    store(slug) {
      const gate = gates.get(slug);
      if (!gate)
        throw new Error(
          `unknown store ${slug}; set MANIFOLD_STORE to one of ${[...gates.keys()].join(", ")}`,
        );
      return { ...gate, slug };
    },
  };
}
