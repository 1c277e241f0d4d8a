import { join } from "node:path";
import { openModel } from "./assistant/index.ts";
import { TimeSlices } from "./base/index.ts";
import { openOutbox } from "./catalog/index.ts";
import {
  createExportWork,
  nameScripts,
  openExportFiles,
  openFonts,
  recordReaders,
} from "./exports/index.ts";
import { createRowFilters } from "./identity/index.ts";
import { openJobs } from "./jobs/index.ts";
import { openAct } from "./openAct.ts";
import type { Identity } from "./openIdentity.ts";
import type { Storage } from "./openStorage.ts";
import { createQueries } from "./queries/index.ts";
import { createHierarchyLabels, createKernel } from "./resources/index.ts";
import {
  accelerate,
  createSynchronizer,
  openEgresses,
  synchronizeByClock,
} from "./sources/index.ts";
import type { Start } from "./start.ts";

/** Maximum size of one model response in bytes. */
const modelAnswerBytes = 2 ** 20;

export type Work = Awaited<ReturnType<typeof openWork>>;

/**
 * Opens the third step of a host: queries, actions on records, and background work (the outbox, synchronization,
 * exports and jobs).
 */
export function openWork(start: Start, storage: Storage, { principals }: Identity) {
  const { config, log, metrics, publicUrl, now, tokenNow, pace } = start;
  const { catalog, cipher, records, remembered, memory, quotas, connections, presence } = storage;
  return openAct("the host's work", start, async (opening) => {
    const outbox = openOutbox({
      knex: catalog.transactions,
      records,
      connections,
      presence,
      log,
    });
    opening.defer(() => outbox.close());
    await storage.settle(outbox);
    const kernel = createKernel({
      records,
      catalog,
      cipher,
      connections,
      log,
      apiTokenDays: config.apiTokenDays,
    });
    const timeSlices = new TimeSlices();
    const queries = createQueries({
      timeSlices,
      records: remembered,
      connections,
      memory,
      rowFilters: createRowFilters(catalog),
      labels: createHierarchyLabels(catalog),
      cacheBytes: config.cacheMb * 2 ** 20,
      metrics,
      quotas,
      ...(now && { now }),
    });
    const synchronizer = createSynchronizer({ records, queries, knex: catalog.knex, log });
    opening.defer(() => synchronizer.close());
    const exportSources = {
      queries,
      fonts: openFonts(),
      readers: recordReaders(kernel.handlers),
      onMissing: (characters: readonly string[]) =>
        log.warn(
          { scripts: nameScripts(characters), characterCount: characters.length },
          "a picture contains characters of scripts for which no font is installed",
        ),
    };
    const files = await openExportFiles({
      folder: join(config.dataDir, "exports"),
      knex: catalog.knex,
      cipher,
      principals,
      publicUrl,
      log,
      organizationBytes: config.exportMb * 2 ** 20,
      lifeMs: config.exportHours * 3_600_000,
      ...(tokenNow && { now: tokenNow }),
    });
    opening.defer(() => files.close());
    const accelerating = {
      records,
      connections,
      outbox,
      principals,
      knex: catalog.transactions,
      log,
      mostRows: config.accelerationRows,
      onSwitched: () => memory.forget(),
    };
    const spendJob = (organizationId: string) => quotas.spend(organizationId, "jobs", 1);
    const { smtpUrl, mailFrom, smsUrl, smsFrom, smsPerDay, ledgerDays } = config;
    const jobs = await openJobs({
      metrics,
      spendJob,
      exportWork: createExportWork({ ...exportSources, files, principals, log }),
      accelerate: (id, signal) => accelerate(id, signal, accelerating),
      synchronize: (id, signal) =>
        synchronizeByClock(id, signal, { ...accelerating, synchronizer }),
      egresses: storage.egresses,
      publicUrl,
      ...(smtpUrl && { mail: { smtpUrl, from: mailFrom } }),
      ledgerDays,
      ...(smsUrl && { textMessages: { url: smsUrl, from: smsFrom, perDay: smsPerDay } }),
      cipher,
      knex: catalog.transactions,
      records,
      queries,
      connections,
      principals,
      log,
      ...(pace && { pace }),
    });
    opening.defer(() => jobs.close());
    const modelEgresses = openEgresses({
      grants: storage.grants,
      timeoutMs: config.aiTimeoutMs,
      sizeBytes: modelAnswerBytes,
    });
    opening.defer(() => modelEgresses.close());
    const { aiUrl, aiModel, aiKey, aiTimeoutMs } = config;
    const model =
      aiUrl !== undefined && aiModel !== undefined
        ? openModel({
            url: aiUrl,
            name: aiModel,
            key: aiKey,
            egress: modelEgresses.ofHost,
            timeoutMs: aiTimeoutMs,
            log,
          })
        : undefined;
    return {
      outbox,
      kernel,
      timeSlices,
      queries,
      synchronizer,
      exports: { ...exportSources, files, mostCells: config.exportCells },
      jobs,
      spendJob,
      model,
    };
  });
}
