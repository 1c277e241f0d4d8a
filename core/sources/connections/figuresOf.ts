import type { InProcess } from "./inProcess.ts";

/**
 * Returns the figures of a store, by name. Those of a store without any, such as a server, are the ones of the plugin
 * that does the work of this host: its threads, queue and memory.
 */
export function figuresOf(
  { plugins }: Pick<InProcess, "plugins">,
  slug: string,
): Readonly<Record<string, number>> {
  const own = [plugins.get(slug), ...plugins.values()].find((plugin) => plugin?.figures);
  return own?.figures?.() ?? {};
}
