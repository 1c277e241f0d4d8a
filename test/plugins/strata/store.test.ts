import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStrata } from "../../../plugins/strata/index.ts";
import { storeSuite } from "../storeSuite.ts";

storeSuite("plugins/strata as a store", async () => {
  const dir = await mkdtemp(join(tmpdir(), "manifold-store-"));
  const plugin = await openStrata({ dir, workers: 1, memoryBytes: 2 ** 28, warmUp: false });
  return {
    plugin,
    async close() {
      await plugin.close?.();
      await rm(dir, { recursive: true, force: true });
    },
  };
});
