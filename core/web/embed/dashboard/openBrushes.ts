import { retryImport } from "../../charts/index.ts";
import type { Brushes, BrushesOptions } from "./brushes.ts";

const loadBrushes = retryImport(() => import("./createBrushes.ts"));

/**
 * Opens the brushes of a dashboard. Their script loads when the pointer first enters a picture. `onFailure` is called
 * if it cannot be loaded when the reader drags; the next drag tries again.
 */
export function openBrushes(
  options: BrushesOptions & { onFailure(failure: unknown, itemId: string): void },
): Brushes {
  let brushes: Brushes | undefined;
  let isClosed = false;

  async function load(): Promise<Brushes | undefined> {
    const { createBrushes } = await loadBrushes();
    if (!isClosed) brushes ??= createBrushes(options);
    return brushes;
  }

  return {
    async prepare(id) {
      // A drag loads the script again, and reports the failure.
      const loaded = brushes ?? (await load().catch(() => undefined));
      await loaded?.prepare(id);
    },
    brush(id, rows, isDone) {
      if (brushes) return brushes.brush(id, rows, isDone);
      load().then(
        (loaded) => loaded?.brush(id, rows, isDone),
        (failure: unknown) => options.onFailure(failure, id),
      );
    },
    replan: () => brushes?.replan(),
    forget: () => brushes?.forget(),
    close() {
      isClosed = true;
      brushes?.close();
    },
  };
}
