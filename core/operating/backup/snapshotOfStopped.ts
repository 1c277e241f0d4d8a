import { access } from "node:fs/promises";
import { openCatalog, readHostSecret } from "../../catalog/index.ts";
import type { Config } from "../../base/index.ts";
import { filesFolder, openInProcess } from "../../sources/index.ts";
import { gateWrites } from "./gateWrites.ts";
import { type HeldSnapshot, holdSnapshot } from "./holdSnapshot.ts";

const silent = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * Opens catalog and store of a stopped host, and holds their state.
 * @throws {Error} if the data folder does not contain a host, or its host runs but does not respond
 */
export async function snapshotOfStopped(config: Config): Promise<HeldSnapshot> {
  const { dataDir, databaseUrl, store: slug } = config;
  await access(filesFolder(dataDir)).catch(() => {
    throw new Error(`${dataDir} is not the data folder of a host; name the folder with --data-dir`);
  });
  const secret = await readHostSecret(config);
  const plugins = await openInProcess({ ...config, warmUp: false });
  try {
    const plugin = plugins.plugins.get(slug);
    if (!plugin) throw new Error(`MANIFOLD_STORE is ${slug}, which is not a store of this version`);
    const catalog = await openCatalog({ databaseUrl, dataDir, log: silent, keepsSchema: true });
    const close = async () => {
      await catalog.close();
      await plugins.close();
    };
    try {
      const store = { ...gateWrites(plugin), slug };
      const { snapshot, end } = await holdSnapshot({ catalog, store, secret });
      return {
        snapshot,
        async end() {
          await end();
          await close();
        },
      };
    } catch (failure) {
      await catalog.close();
      throw failure;
    }
  } catch (failure) {
    await plugins.close();
    throw failure;
  }
}
