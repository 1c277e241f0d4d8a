import type { Knex } from "knex";
import Type from "typebox";
import { refuseWithout } from "../../identity/index.ts";
import { ApiError, type Principal, type ResourceRow, type Members } from "../../base/index.ts";
import { addTask, carryOutDue } from "../../catalog/index.ts";
import { allowAny, allowIntegrated, allowShared } from "../rights/allow.ts";
import { checkContents, emptyContents } from "./contents.ts";
import { embedFilterGroupSecurable } from "../sharing/embedFilterGroup.ts";
import {
  type Declaration,
  type HookCall,
  type Values,
  choice,
  customMetadata,
  flag,
  identity,
  instant,
  limits,
  list,
  multilingual,
  number,
  object,
  settable,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { addVersion } from "./addVersion.ts";
import {
  collectionSecurable,
  securableDataset,
  securableFavorite,
  securableFormula,
  securableGroup,
  securableIntegration,
  securableTag,
  securableThumbnail,
  securableUser,
} from "../rights/links.ts";
import { limitedRows } from "../rights/limitedRows.ts";
import { checkDashboard, linkDatasets } from "./linkDatasets.ts";
import { refuseLook } from "./refuseLook.ts";
import { markVariant } from "./markVariant.ts";
import { startAcceleration } from "./startAcceleration.ts";
import { metadataSync, updateMetadata } from "../sources/metadataSync.ts";
import { published } from "./published.ts";
import { listsWithoutHidden } from "../rights/withoutHidden.ts";
import { carriesFilters, checkLinkFilters } from "./shareFilters.ts";

/** Makes the store drop the rows of a dataset, in the transaction that deletes it. */
async function dropStored(
  row: ResourceRow<"securable">,
  _call: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  const { type, storage } = row;
  if (type !== "dataset" || !storage || storage === "client") return;
  await addTask(transaction, { action: "drop", securableId: row.id });
}

/** Members that only dashboards have. For datasets they are null, even if a client sends a record back with them. */
const inapplicable: Values = { contents: null, css: null };

/** Refuses to clear the contents of a dashboard. */
function refuseEmptyContents(values: Members<"contents">): void {
  if (values.contents === null)
    throw new ApiError("MEMBER_INVALID", [
      "properties.contents",
      "must be the definition of a dashboard, not null; omit it to keep the contents, or send a view without items",
    ]);
}

/** Returns values for a dataset that a caller creates. Its columns are created afterwards, and its rows are pushed. */
const pushedTo = ({ connections }: HookCall["context"]): Values => ({
  subtype: "api",
  storage: connections.store.name,
  uses_strata_experimental: true,
  rows: 0,
});

/**
 * Refuses embed tokens that create or change a dataset. They may create and change dashboards.
 * @throws {ApiError} FORBIDDEN
 */
function refuseDatasets(type: unknown, { restriction }: Principal): void {
  if (restriction && type !== "dashboard")
    throw new ApiError("FORBIDDEN", [
      "create or change a dataset, which embed tokens do not have; use an api token",
    ]);
}

const fields = {
  ...identity,
  type: choice(["dataset", "dashboard"], { on: ["create"], required: true, nullable: false }),
  subtype: text(),
  name: multilingual({ ...settable, length: limits.nameLength }),
  description: multilingual(settable),
  subtitle: multilingual(settable),
  custom_metadata: customMetadata(),
  ai_context: text(settable),
  contents: object({
    ...settable,
    ...published("contents"),
    onRequest: true,
    check: checkContents,
  }),
  css: text({ ...settable, ...published("css"), length: limits.cssLength }),
  source_dataset: text(),
  source_sheet: text(),
  source_query: text({ withheld: true }),
  source_parameters: list(Type.Record(Type.String(), Type.Unknown()), "a list of parameters", {
    withheld: true,
  }),
  transformation: text({ withheld: true }),
  rows: number({ withheld: true }),
  featured: flag({ nullable: false, default: false }),
  derived: flag({ nullable: false, default: false }),
  cache: number({
    ...settable,
    nullable: false,
    default: 0,
    check: (value) => (Number(value) >= 0 ? undefined : "be 0 or more seconds"),
  }),
  storage: text(),
  is_variant: flag({ nullable: false, default: false }),
  migrated_rows: number(),
  uses_strata_experimental: flag({ nullable: false, default: false }),
  meta_sync_interval: number({
    ...settable,
    nullable: false,
    default: 1,
    check: (value) => (Number(value) > 0 ? undefined : "be more than 0 hours"),
  }),
  meta_sync_inherit: flag({ ...settable, nullable: false, default: true }),
  meta_sync_enabled: flag({ ...settable, nullable: false, default: true }),
  last_metadata_sync_at: instant(),
  last_metadata_sync_attempt_at: instant(),
  shared_storage_version: uuid(),
  shared_storage_metadata: object(listsWithoutHidden("shared_storage_metadata")),
  storage_location_override: text({ withheld: true }),
  original_id: uuid(),
  acceleration_id: uuid(),
  template_id: uuid(),
  source_template_id: uuid(),
  account_id: uuid(),
  modifier_id: uuid(),
  owner_id: uuid({ nullable: false }),
  modified_at: instant({ nullable: false, default: () => new Date() }),
  ...timestamps,
};

/** A dataset or a dashboard. */
const inputs = { update_metadata: updateMetadata };

export const securable: Declaration<typeof fields, typeof inputs> = {
  name: "securable",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  ownedBy: "owner_id",
  fields,
  isLimited: limitedRows("id"),
  allow: allowAny(
    allowShared({
      ownerKey: "owner_id",
      recordKey: "securable_id",
      users: securableUser,
      groups: securableGroup,
    }),
    allowIntegrated(securableIntegration, "securable_id"),
  ),
  associations: {
    EmbedFilterGroups: {
      kind: "through",
      resource: "embedfiltergroup",
      link: embedFilterGroupSecurable,
      ownKey: "securable_id",
      otherKey: "embedfiltergroup_id",
      roles: ["read", "own"],
    },
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
    Groups: {
      kind: "through",
      resource: "group",
      link: securableGroup,
      ownKey: "securable_id",
      otherKey: "group_id",
      roles: ["own", "use"],
    },
    Integrations: {
      kind: "through",
      resource: "integration",
      link: securableIntegration,
      ownKey: "securable_id",
      otherKey: "integration_id",
      roles: ["own", "own"],
    },
    Favorites: {
      kind: "through",
      resource: "securable",
      link: securableFavorite,
      ownKey: "securable_id",
      otherKey: "favorite_id",
      roles: ["read", "read"],
    },
    Variants: {
      kind: "many",
      resource: "securable",
      key: "original_id",
      roles: ["read", "modify"],
    },
    Original: {
      kind: "one",
      resource: "securable",
      key: "original_id",
      roles: ["modify", "read"],
    },
    Tags: {
      kind: "through",
      resource: "tag",
      link: securableTag,
      ownKey: "securable_id",
      otherKey: "tag_id",
      roles: ["modify", "organizationMember"],
    },
    Schedules: {
      kind: "many",
      resource: "schedule",
      key: "securable_id",
      roles: ["modify", "modify"],
    },
    Collections: {
      kind: "through",
      resource: "collection",
      link: collectionSecurable,
      ownKey: "securable_id",
      otherKey: "collection_id",
      roles: ["read", "modify"],
    },
    Shares: { kind: "many", resource: "share", key: "securable_id", roles: ["own", "own"] },
    Datasets: {
      kind: "through",
      resource: "securable",
      link: securableDataset,
      ownKey: "dashboard_id",
      otherKey: "dataset_id",
      roles: ["modify", "use"],
    },
    Dashboards: {
      kind: "through",
      resource: "securable",
      link: securableDataset,
      ownKey: "dataset_id",
      otherKey: "dashboard_id",
      roles: ["use", "modify"],
    },
    Formulas: {
      kind: "through",
      resource: "formula",
      link: securableFormula,
      ownKey: "securable_id",
      otherKey: "formula_id",
      roles: ["modify", "modify"],
    },
    Thumbnails: {
      kind: "through",
      resource: "thumbnail",
      link: securableThumbnail,
      ownKey: "securable_id",
      otherKey: "thumbnail_id",
      roles: ["modify", "read"],
    },
    Acceleration: {
      kind: "one",
      resource: "acceleration",
      key: "acceleration_id",
      roles: ["own", "own"],
    },
    DatasetCopies: { kind: "many", resource: "datasetcopy", key: "securable_id" },
    Alerts: { kind: "many", resource: "alert", key: "securable_id", roles: ["read", "own"] },
    SecurableVersions: { kind: "many", resource: "securableversion", key: "securable_id" },
    Owner: { kind: "one", resource: "user", key: "owner_id", roles: ["own", "organizationEditor"] },
    Modifier: { kind: "one", resource: "user", key: "modifier_id" },
    Account: { kind: "one", resource: "account", key: "account_id" },
  },
  hooks: {
    async beforeCreate(values, { context, principal }) {
      refuseDatasets(values.type, principal);
      const { userId } = principal;
      const own = { owner_id: userId, modifier_id: userId };
      if (values.type === "dataset")
        refuseWithout("flag_create_datasets", principal, "create a dataset");
      else refuseLook(values, principal);
      if (values.type === "dataset")
        return { ...values, ...inapplicable, ...pushedTo(context), ...own };
      refuseEmptyContents(values);
      return { ...values, contents: values.contents ?? emptyContents(), ...own };
    },
    async beforeUpdate(row, values, { principal }) {
      refuseDatasets(row.type, principal);
      const isDashboard = row.type === "dashboard";
      if (isDashboard) {
        refuseEmptyContents(values);
        refuseLook(values, principal, row);
      }
      const emptied = isDashboard ? {} : inapplicable;
      return { ...values, ...emptied, modifier_id: principal.userId, modified_at: new Date() };
    },
    async afterCreate(row, call, transaction) {
      if (row.type !== "dashboard") return;
      await linkDatasets(row, call, transaction);
      await addVersion(row.id, call.principal.userId, transaction);
    },
    async afterUpdate(row, values, call, transaction) {
      if (row.type !== "dashboard") return;
      if (Object.hasOwn(values, "contents")) await linkDatasets(row, call, transaction);
      await addVersion(row.id, call.principal.userId, transaction);
    },
    async beforeKey(change, call, transaction) {
      await startAcceleration(change, call, transaction);
      return markVariant(change);
    },
    async beforeLink({ action, link, own, other, values }, call) {
      if (action === "dissociate") return;
      if (link === securableDataset) checkDashboard(own, other);
      if (carriesFilters(link)) await checkLinkFilters(own, values, call);
    },
    async beforeDelete(row, call, transaction) {
      refuseDatasets(row.type, call.principal);
      await dropStored(row, call, transaction);
    },
    afterDelete: (_row, { context }) => carryOutDue(context),
  },
  inputs,
  inert: {
    sub_type: "terraform",
    sub_title: "terraform",
    source_dataset: "terraform",
    source_sheet: "terraform",
    transformation: "terraform",
    last_metadata_sync_at: "terraform",
    update_metadata: "terraform, in each create",
  },
  shownBeside: { update: { metadata_sync: metadataSync } },
};
