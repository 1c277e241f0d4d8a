import type { Plugin } from "../../../plugins/protocol/index.ts";

/** A plugin whose changes can be held back for a moment. */
export interface GatedPlugin {
  readonly plugin: Plugin;
  /** Runs a function while no change of the plugin starts. Changes that have already started continue. */
  hold<Result>(run: () => Promise<Result>): Promise<Result>;
}

/** Wraps a plugin so that its changes can be held back. */
export function gateWrites(plugin: Plugin): GatedPlugin {
  let held: Promise<unknown> = Promise.resolve();
  let holdCount = 0;
  const { write } = plugin;
  if (!write) return { plugin, hold: (run) => run() };
  return {
    plugin: {
      ...plugin,
      async write(call) {
        while (holdCount > 0) await held;
        return write.call(plugin, call);
      },
    },
    async hold(run) {
      const { promise, resolve } = Promise.withResolvers<void>();
      holdCount++;
      const before = held;
      held = Promise.all([before, promise]);
      try {
        return await run();
      } finally {
        holdCount--;
        resolve();
      }
    },
  };
}
