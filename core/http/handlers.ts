import {
  type Access,
  type AccessOptions,
  closeWithoutFeatures,
  createPrincipals,
  createRowFilters,
  explainProvider,
  forgetAfterChange,
  type GuardedFetch,
  openToPublic,
  testProvider,
  type Visits,
} from "../identity/index.ts";
import {
  type CatalogMemory,
  countUsage,
  forgetChanges,
  type Quotas,
  type UsageCounts,
  usageHandlers,
} from "../catalog/index.ts";
import { type Assistant, createAssistant, type Model } from "../assistant/index.ts";
import type { Config, Handler, Handlers, ResourceHandlers } from "../base/index.ts";
import {
  dataHandlers,
  type DataHandlersOptions,
  dataproviderHandlers,
  explainPlugin,
  type Synchronizer,
  synchronizing,
} from "../sources/index.ts";
import { loadAtOnce, queueHandlers, type Jobs } from "../jobs/index.ts";
import { exportHandlers, type ExportOptions } from "../exports/index.ts";
import {
  explainSecurable,
  explainToken,
  explainQuotas,
  explainUsers,
  listTokens,
  declarations,
  refuseFilteredColumns,
  type Kernel,
} from "../resources/index.ts";
import { refusingUnknownMembers } from "./openapi/index.ts";

export interface HandlersParts
  extends AccessOptions, Omit<DataHandlersOptions, "refuseFilteredColumns" | "quotas"> {
  readonly quotas: Quotas;
  readonly usage: UsageCounts;
  /** Counts a job towards an organization's quota. */
  readonly spendJob: (organizationId: string) => Promise<void>;
  readonly kernel: Kernel;
  readonly access: Access;
  readonly visits: Visits;
  readonly exports: Omit<ExportOptions, "addJob" | "spendJob">;
  readonly memory: CatalogMemory;
  readonly synchronizer: Synchronizer;
  readonly jobs: Pick<Jobs, "queue" | "handlers" | "addExport" | "look">;
  /** The action `invite` of users. */
  readonly invite: Handler;
  /** The assistant's model; undefined if none is configured. */
  readonly model: Model | undefined;
  /** The assistant's clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** Returns the guarded fetch with which an organization's identity providers are called. */
  readonly fetchOf: (organizationId: string) => GuardedFetch;
  /** Returns the URL at which people open the console. */
  readonly publicUrl: () => string;
  readonly config: Pick<
    Config,
    | "aiSends"
    | "aiTokensPerDay"
    | "aiUserTokensPerDay"
    | "aiCallsPerMinute"
    | "aiUserCallsPerMinute"
  >;
}

/** The actions of every resource, and the MCP server that calls them. */
export interface HandlersMade {
  readonly handlers: Handlers;
  readonly answerMcp: Assistant["answerMcp"];
}

/**
 * Creates the actions of every resource: those of the catalog, and those of `dataprovider` and `data`. The handlers
 * need not be closed.
 */
export function createHandlers(parts: HandlersParts): HandlersMade {
  const { kernel, access, visits, memory } = parts;
  const context = { ...parts, knex: parts.catalog.knex };
  const { config } = parts;
  const { authorization, securable } = kernel.handlers;
  if (!securable?.get) throw new TypeError("the resource securable must have a get action");
  const principals = createPrincipals(parts);
  const rowFilters = createRowFilters(parts.catalog);
  const explain = explainToken({
    records: parts.records,
    principals,
    rowFilters,
    getSecurables: securable.get,
  });
  const ofSecurable = explainSecurable({ ...context, principals, rowFilters });
  const own: Readonly<Record<string, ResourceHandlers>> = {
    ...kernel.handlers,
    authorization: { ...authorization, explain, list: listTokens(context) },
    user: {
      ...kernel.handlers["user"],
      explain: explainUsers({ ...context, declarations }),
      invite: parts.invite,
    },
    ssoconfig: {
      ...kernel.handlers["ssoconfig"],
      explain: explainProvider(context),
      test: testProvider(context),
    },
    organization: {
      ...kernel.handlers["organization"],
      explain: explainQuotas(parts.quotas),
    },
    alert: { ...kernel.handlers["alert"], ...parts.jobs.handlers.alert },
    channel: { ...kernel.handlers["channel"], ...parts.jobs.handlers.channel },
    delivery: { ...kernel.handlers["delivery"], ...parts.jobs.handlers.delivery },
    plugin: {
      ...kernel.handlers["plugin"],
      ...parts.jobs.handlers.plugin,
      explain: explainPlugin(parts),
    },
    account: synchronizing("account", kernel.handlers["account"] ?? {}, context),
    securable: loadAtOnce(
      synchronizing("securable", { ...securable, explain: ofSecurable }, context),
      parts.jobs,
    ),
    dataprovider: dataproviderHandlers(parts),
    job: queueHandlers({ knex: parts.catalog.knex, queue: parts.jobs.queue }),
    usage: usageHandlers({ knex: parts.catalog.knex, counts: parts.usage }),
    // Queries of the assistant count as well, so these handlers are wrapped before the assistant receives them.
    data: countUsage(
      "data",
      openToPublic(dataHandlers({ ...parts, refuseFilteredColumns }), parts),
      parts.usage,
    ),
  };
  const assistant = createAssistant({
    ...parts,
    knex: parts.catalog.knex,
    // A change made by an MCP tool is visible to the next call, just like a change made through the API.
    handlers: Object.fromEntries(
      Object.entries(own).map(([name, offered]) => [
        name,
        forgetChanges(name, closeWithoutFeatures(name, offered), memory),
      ]),
    ),
    exposure: config.aiSends,
    tokensOf: async (organizationId) =>
      (await parts.quotas.limitsOf(organizationId)).ai_tokens?.hard,
    limits: {
      tokensPerDay: config.aiTokensPerDay,
      userTokensPerDay: config.aiUserTokensPerDay,
      callsPerMinute: config.aiCallsPerMinute,
      userCallsPerMinute: config.aiUserCallsPerMinute,
    },
  });
  const exports = exportHandlers({
    ...parts.exports,
    addJob: parts.jobs.addExport,
    spendJob: parts.spendJob,
  });
  const resources: Readonly<Record<string, ResourceHandlers>> = {
    ...own,
    securable: countUsage("securable", own["securable"] ?? {}, parts.usage),
    ...assistant.handlers,
    export: countUsage("export", exports.export, parts.usage),
    dataexport: countUsage("dataexport", exports.dataexport, parts.usage),
  };
  const handlers = new Map<string, ResourceHandlers>();
  for (const [resource, offered] of Object.entries(resources)) {
    const known = refusingUnknownMembers(resource, offered, declarations);
    const open = closeWithoutFeatures(resource, known);
    const checked = forgetAfterChange(resource, open, access);
    const counted = visits.counting(resource, checked);
    handlers.set(resource, forgetChanges(resource, counted, memory));
  }
  return { handlers, answerMcp: assistant.answerMcp };
}
