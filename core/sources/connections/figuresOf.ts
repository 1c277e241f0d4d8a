import type { InProcess } from "./inProcess.ts";

/**
 * Returns the metrics of a store, by name. For a store without metrics, such as a server, returns the metrics of the
 * scratch plugin on this host: its threads, queue and memory.
 */
export function figuresOf(
  { plugins }: Pick<InProcess, "plugins">,
  slug: string,
): Readonly<Record<string, number>> {
  const own = [plugins.get(slug), ...plugins.values()].find((plugin) => plugin?.figures);
  return own?.figures?.() ?? {};
}
