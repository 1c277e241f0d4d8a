import {
  createCatalogMemory,
  type Limits,
  openCatalog,
  openCipher,
  type Outbox,
  openPresence,
  openQuotas,
  openUsageCounts,
  parseLimits,
  readHostSecret,
} from "./catalog/index.ts";
import { messageOf, openBoth } from "./base/index.ts";
import { openAct } from "./openAct.ts";
import { checkSecrets, gateStores } from "./operating/index.ts";
import { openRecords, rememberedRecords } from "./resources/index.ts";
import {
  claimFormerRows,
  claimStore,
  createGrants,
  figuresOf,
  openConnections,
  openDrivers,
  openEgresses,
  openInProcess,
  reconcileStore,
  refuseSharers,
} from "./sources/index.ts";
import type { Start } from "./start.ts";

/** Milliseconds within which each part of the host must pass its health check. */
const healthMs = 10_000;

/**
 * Deadline in milliseconds of one call to a webhook or sign-on provider. `callBytes` is the maximum size of the
 * response.
 */
const callMs = 15_000;
const answerBytes = 2 ** 20;

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/**
 * Opens the first step of a host: its plugins and store, its catalog, and the lock that keeps a second host from using
 * these parts. The later steps do not depend on which store is used.
 * @throws {Error} naming the invalid setting, or the folder or server that is not available
 */
export function openStorage(start: Start) {
  const { config, connectorImports, log, metrics } = start;
  return openAct("the storage", start, async (opening) => {
    const defaults = readQuotas(config.quotas);
    const secret = await readHostSecret(config);
    const openingCipher = openCipher({ ...config, secret });
    // The failure is thrown where the cipher is needed.
    openingCipher.catch(() => undefined);
    // Each part locks its own files in the data folder, which keeps a second host from using them.
    const [inProcess, catalog] = await openBoth(
      () => openInProcess(config, start.listening),
      () => openCatalog({ ...config, log }),
    );
    const { plugins, store } = gateStores(inProcess);
    opening.defer(() => plugins.close());
    opening.defer(() => catalog.close());
    const cipher = await openingCipher;
    /** Returns whether the rows of a store are in files that only this host uses. */
    const isOfOneHost = (slug: string) => store(slug).plugin.snapshot !== undefined;
    const claim = isOfOneHost(config.store)
      ? await claimStore({ ...config, knex: catalog.knex, log })
      : undefined;
    if (claim) opening.defer(() => claim.close());
    if (claim) await refuseSharers({ knex: catalog.knex, store: config.store });
    const records = openRecords({ catalog, cipher });
    await checkSecrets({ catalog, cipher, log });
    const memory = createCatalogMemory({ catalog });
    const remembered = rememberedRecords(records, memory);
    const quotas = openQuotas({
      knex: catalog.knex,
      records,
      memory,
      defaults,
      log,
      onPassed: metrics?.quota,
    });
    opening.defer(() => quotas.close());
    const usage = openUsageCounts({ transactions: catalog.transactions, log });
    opening.defer(() => usage.close());
    const drivers = openDrivers({ config, log });
    opening.defer(() => drivers.close());
    const connections = await openConnections({
      config,
      connectorImports,
      records: remembered,
      plugins,
      drivers,
      metrics,
    });
    opening.defer(() => connections.close());
    await connections.health(AbortSignal.timeout(healthMs));
    const former = claim
      ? undefined
      : await claimFormerRows({
          ...config,
          knex: catalog.knex,
          log,
          records,
          connections,
          fileStores: [...plugins.plugins.keys()].filter(isOfOneHost),
        });
    if (former) opening.defer(() => former.close());
    const presence = claim ? undefined : await openPresence({ ...catalog, log });
    if (presence) opening.defer(() => presence.close());
    const grants = createGrants({ config, records: remembered });
    const egresses = openEgresses({ grants, timeoutMs: callMs, sizeBytes: answerBytes });
    opening.defer(() => egresses.close());
    return {
      secret,
      cipher,
      catalog,
      records,
      remembered,
      memory,
      quotas,
      usage,
      connections,
      presence,
      grants,
      egresses,
      /** Returns the store of this host, for operator commands. */
      store: () => store(config.store),
      figures: () => figuresOf(plugins, config.store),
      /**
       * Finishes the work that earlier hosts left behind, and removes stored rows that have no record in the catalog.
       */
      async settle(outbox: Outbox) {
        if (claim) await outbox.takeOver();
        await outbox.carryOut();
        // With a shared store, another host may be running a push.
        if (isOfOneHost(config.store)) await reconcileStore({ records, connections, outbox });
      },
      /** Checks that this host can use the store.
       * @throws {Error} if the store does not respond, or another host has claimed it */
      async check() {
        await claim?.check();
        await connections.health(AbortSignal.timeout(healthMs));
      },
      /** Releases the data folder to other hosts once all datasets have been moved out of it. */
      async releaseFormer() {
        if (connections.elsewhere?.size === 0) await former?.close();
      },
    };
  });
}

/**
 * Parses the limits in the settings.
 * @throws {Error} naming the setting
 */
function readQuotas(text: string): Limits {
  try {
    return parseLimits(text);
  } catch (cause) {
    throw new Error(`MANIFOLD_QUOTAS ${messageOf(cause)}`, { cause });
  }
}
