// The steps of the schema, in order.
// May import: knex.
import * as first from "./001First.ts";
import * as sharing from "./002Sharing.ts";
import * as access from "./003Access.ts";
import * as outbox from "./004Outbox.ts";
import * as indexes from "./005Indexes.ts";
import * as ownership from "./006Ownership.ts";
import * as catalogVersion from "./007CatalogVersion.ts";
import * as accessRules from "./017Access.ts";
import * as suborganizations from "./018Suborganizations.ts";
import * as hostSecret from "./041HostSecret.ts";
import * as tokenFilters from "./051TokenFilters.ts";
import * as narrowedColumns from "./061NarrowedColumns.ts";
import * as connectors from "./131Connectors.ts";
import * as alerts from "./151Alerts.ts";
import * as deliveries from "./152Deliveries.ts";
import * as accelerations from "./156Accelerations.ts";
import * as channels from "./157Channels.ts";
import * as ledger from "./158Ledger.ts";
import * as sourcesOfTokens from "./160SourcesOfTokens.ts";
import * as exports from "./161Exports.ts";
import * as sessions from "./171Sessions.ts";
import * as assistant from "./181Assistant.ts";
import * as pluginChecks from "./190PluginChecks.ts";
import * as digests from "./191Digests.ts";
import * as scheduledExports from "./201ScheduledExports.ts";
import * as signOn from "./211SignOn.ts";
import * as provisioning from "./212Provisioning.ts";
import * as secondFactors from "./213SecondFactors.ts";
import * as conversations from "./216Conversations.ts";
import * as auditChain from "./217AuditChain.ts";
import * as secretKeys from "./220SecretKeys.ts";
import * as secondSecrets from "./221SecondSecrets.ts";
import * as signIns from "./226SignIns.ts";
import * as customCharts from "./236CustomCharts.ts";
import * as quotas from "./240Quotas.ts";
import * as pushRequests from "./241PushRequests.ts";
import * as storeHost from "./242StoreHost.ts";
import * as signInLimit from "./243SignInLimit.ts";
import * as outboxTurns from "./244OutboxTurns.ts";
import * as structureVersion from "./245StructureVersion.ts";
import type { Migration } from "./migration.ts";

export type { Migration };

export const migrations: readonly Migration[] = [
  { name: "001First", up: first.up },
  { name: "002Sharing", up: sharing.up },
  { name: "003Access", up: access.up },
  { name: "004Outbox", up: outbox.up },
  { name: "005Indexes", up: indexes.up },
  { name: "006Ownership", up: ownership.up },
  { name: "007CatalogVersion", up: catalogVersion.up },
  { name: "017Access", up: accessRules.up },
  { name: "018Suborganizations", up: suborganizations.up },
  { name: "041HostSecret", up: hostSecret.up },
  { name: "051TokenFilters", up: tokenFilters.up },
  { name: "061NarrowedColumns", up: narrowedColumns.up },
  { name: "131Connectors", up: connectors.up },
  { name: "151Alerts", up: alerts.up },
  { name: "152Deliveries", up: deliveries.up },
  { name: "156Accelerations", up: accelerations.up },
  { name: "157Channels", up: channels.up },
  { name: "158Ledger", up: ledger.up },
  { name: "160SourcesOfTokens", up: sourcesOfTokens.up },
  { name: "161Exports", up: exports.up },
  { name: "171Sessions", up: sessions.up },
  { name: "181Assistant", up: assistant.up },
  { name: "190PluginChecks", up: pluginChecks.up },
  { name: "191Digests", up: digests.up },
  { name: "201ScheduledExports", up: scheduledExports.up },
  { name: "211SignOn", up: signOn.up },
  { name: "212Provisioning", up: provisioning.up },
  { name: "213SecondFactors", up: secondFactors.up },
  { name: "216Conversations", up: conversations.up },
  { name: "217AuditChain", up: auditChain.up },
  { name: "220SecretKeys", up: secretKeys.up },
  { name: "221SecondSecrets", up: secondSecrets.up },
  { name: "226SignIns", up: signIns.up },
  { name: "236CustomCharts", up: customCharts.up },
  { name: "240Quotas", up: quotas.up },
  { name: "241PushRequests", up: pushRequests.up },
  { name: "242StoreHost", up: storeHost.up },
  { name: "243SignInLimit", up: signInLimit.up },
  { name: "244OutboxTurns", up: outboxTurns.up },
  { name: "245StructureVersion", up: structureVersion.up },
];
