import { allowShared } from "./allowShared.ts";
import {
  type Declaration,
  type HookCall,
  choice,
  customMetadata,
  flag,
  identity,
  instant,
  multilingual,
  number,
  object,
  settable,
  text,
  timestamps,
  uuid,
} from "./kernel/index.ts";
import { securableUser } from "./links.ts";
import type { Row } from "./records.ts";

/** What a new dashboard holds: the three views, empty. */
function emptyContents(): Record<string, unknown> {
  const view = (screenModus: string) => ({ screenModus, options: {}, filterGroups: [], items: [] });
  return {
    version: "0.1.99",
    syncScreenModes: true,
    datasetLinks: {},
    views: ["desktop", "tablet", "mobile"].map(view),
    parameters: [],
    timezone: { type: "fixed", id: "UTC" },
  };
}

/** Drops the rows of a dataset that lie in the store; what stays behind is an orphan that the next start clears. */
async function dropStored(row: Row, { context, signal }: HookCall): Promise<void> {
  const { storage } = row;
  if (row["type"] !== "dataset" || !storage || storage === "client") return;
  try {
    await context.connections.store.write({ action: "drop", id: row.id }, { signal });
  } catch (failure) {
    if ((failure as { code?: unknown }).code === "PLUGIN_UNKNOWN_DATASET") return;
    context.log.warn(
      { securableId: row.id, err: failure },
      "the rows of a deleted dataset were not dropped",
    );
  }
}

/** A dataset or a dashboard. */
export const securable: Declaration = {
  name: "securable",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  fields: {
    ...identity,
    type: choice(["dataset", "dashboard"], { on: ["create"], required: true, nullable: false }),
    subtype: text(),
    name: multilingual(settable),
    description: multilingual(settable),
    subtitle: multilingual(settable),
    custom_metadata: customMetadata(),
    ai_context: text(settable),
    contents: object({ ...settable, onRequest: true }),
    css: text(settable),
    source_dataset: text(),
    source_sheet: text(),
    source_query: text(),
    transformation: text(),
    rows: number(),
    featured: flag({ nullable: false, default: false }),
    derived: flag({ nullable: false, default: false }),
    cache: number({ nullable: false, default: 0 }),
    storage: text(),
    is_variant: flag({ nullable: false, default: false }),
    migrated_rows: number(),
    uses_strata_experimental: flag({ nullable: false, default: false }),
    meta_sync_interval: number({ nullable: false, default: 1 }),
    meta_sync_inherit: flag({ nullable: false, default: true }),
    meta_sync_enabled: flag({ nullable: false, default: true }),
    last_metadata_sync_at: instant(),
    last_metadata_sync_attempt_at: instant(),
    shared_storage_version: uuid(),
    shared_storage_metadata: object(),
    storage_location_override: text(),
    original_id: uuid(),
    acceleration_id: uuid(),
    template_id: uuid(),
    source_template_id: uuid(),
    account_id: uuid(),
    modifier_id: uuid(),
    owner_id: uuid({ nullable: false }),
    modified_at: instant({ nullable: false, default: () => new Date() }),
    ...timestamps,
  },
  allow: allowShared({
    ownerKey: "owner_id",
    table: securableUser.table,
    recordKey: "securable_id",
  }),
  associations: {
    Columns: {
      kind: "many",
      resource: "column",
      key: "securable_id",
      roles: ["modify", "modify"],
    },
    Users: {
      kind: "through",
      resource: "user",
      link: securableUser,
      ownKey: "securable_id",
      otherKey: "user_id",
      roles: ["own", "organizationEditor"],
    },
    Owner: { kind: "one", resource: "user", key: "owner_id" },
    Modifier: { kind: "one", resource: "user", key: "modifier_id" },
    Account: { kind: "one", resource: "account", key: "account_id" },
  },
  withoutRecords: {
    Groups: "many",
    Tags: "many",
    Integrations: "many",
    Collections: "many",
    Formulas: "many",
    Schedules: "many",
    Thumbnails: "many",
    EmbedFilterGroups: "many",
  },
  hooks: {
    async beforeCreate(values, { principal: { userId } }) {
      const contents =
        values["type"] === "dashboard" ? (values["contents"] ?? emptyContents()) : null;
      return { ...values, contents, owner_id: userId, modifier_id: userId };
    },
    async beforeUpdate(row, values, { principal }) {
      const contents = row["type"] === "dashboard" ? {} : { contents: null };
      return { ...values, ...contents, modifier_id: principal.userId, modified_at: new Date() };
    },
    afterDelete: dropStored,
  },
};
