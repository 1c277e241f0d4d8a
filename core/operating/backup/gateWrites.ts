import type { Plugin } from "../../../plugins/protocol/index.ts";

/** A plugin whose writes can be held back for a moment. */
export interface GatedPlugin {
  readonly plugin: Plugin;
  /** Runs a function during which no write of the plugin starts. Writes that have already started continue. */
  hold<Result>(run: () => Promise<Result>): Promise<Result>;
}

/** Wraps a plugin so that its writes can be held back. */
export function gateWrites(plugin: Plugin): GatedPlugin {
  let held: Promise<unknown> = Promise.resolve();
  let holdCount = 0;
  const { write, writeBatches } = plugin;
  if (!write) return { plugin, hold: (run) => run() };
  return {
    plugin: {
      ...plugin,
      async write(call) {
        while (holdCount > 0) await held;
        return write.call(plugin, call);
      },
      ...(writeBatches && {
        async writeBatches(call) {
          while (holdCount > 0) await held;
          return writeBatches.call(plugin, call);
        },
      }),
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
