import {
  createCatalogMemory,
  type Limits,
  openCatalog,
  openCipher,
  type Outbox,
  openPresence,
  openQuotas,
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
  openEgresses,
  openInProcess,
  reconcileStore,
  refuseSharers,
} from "./sources/index.ts";
import type { Start } from "./start.ts";

/** Milliseconds in which a part of the host has to answer. */
const healthMs = 10_000;

/** Deadline of one call of a webhook or a sign-on provider, in milliseconds, and most bytes of its answer. */
const callMs = 15_000;
const answerBytes = 2 ** 20;

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/**
 * Opens the first act of a host: its plugins and store, its catalog, and the claim that keeps a second host off them.
 * Only this act knows how stores differ.
 * @throws {Error} that names the setting, the folder or the server that is in the way
 */
export function openStorage(start: Start) {
  const { config, log, metrics } = start;
  return openAct("the storage", start, async (opening) => {
    const defaults = readQuotas(config.quotas);
    const secret = await readHostSecret(config);
    const cipher = await openCipher({ ...config, secret });
    // Each locks its part of the data folder, which refuses a second host.
    const [inProcess, catalog] = await openBoth(
      () => openInProcess(config),
      () => openCatalog({ ...config, log }),
    );
    const { plugins, store } = gateStores(inProcess);
    opening.defer(() => plugins.close());
    opening.defer(() => catalog.close());
    /** Whether the rows of a store are files that belong to this host alone. */
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
    const connections = await openConnections({ config, records: remembered, plugins, metrics });
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
      connections,
      presence,
      grants,
      egresses,
      /** Returns the store of this host, for commands of its operator. */
      store: () => store(config.store),
      figures: () => figuresOf(plugins, config.store),
      /** Carries out the work that earlier hosts left, and removes rows that no record names. */
      async settle(outbox: Outbox) {
        if (claim) await outbox.takeOver();
        await outbox.carryOut();
        // Another host may be in the middle of a push to a store that hosts share.
        if (isOfOneHost(config.store)) await reconcileStore({ records, connections, outbox });
      },
      /** @throws {Error} when the store does not answer, or another host has taken it */
      async check() {
        await claim?.check();
        await connections.health(AbortSignal.timeout(healthMs));
      },
      /** Lets other hosts start once nothing is left in the folder of this host. */
      async releaseFormer() {
        if (connections.elsewhere?.size === 0) await former?.close();
      },
    };
  });
}

/** @throws {Error} that names the setting */
function readQuotas(text: string): Limits {
  try {
    return parseLimits(text);
  } catch (cause) {
    throw new Error(`MANIFOLD_QUOTAS ${messageOf(cause)}`, { cause });
  }
}
