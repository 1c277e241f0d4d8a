import type { Knex } from "knex";
import Type from "typebox";
import { refuseWithout } from "../../identity/index.ts";
import {
  ApiError,
  type Principal,
  reference,
  type ResourceRow,
  type Members,
} from "../../base/index.ts";
import { addTask, carryOutDue } from "../../catalog/index.ts";
import { allowAny, allowIntegrated, allowShared } from "../rights/allow.ts";
import { checkContents, emptyContents } from "./contents.ts";
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
import { checkDrawable, contentsWarnings, warnOfContents } from "./checkDrawable.ts";
import { addVersion } from "./addVersion.ts";
import {
  embedFilterGroupSecurable,
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

/** Members that only dashboards have. For datasets they are null, even if a client sends a value. */
const inapplicable: Values = { contents: null, css: null };

/** Refuses to clear the contents of a dashboard. */
function refuseEmptyContents(values: Members<"contents">): void {
  if (values.contents === null)
    throw new ApiError("MEMBER_INVALID", [
      "properties.contents",
      "must be the definition of a dashboard, not null; omit it to keep the contents, or send a view without items",
    ]);
}

/**
 * Returns the values that the host sets in a dataset that a caller creates. The caller creates its columns and pushes
 * its rows afterwards.
 */
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
      "create or change a dataset; embed tokens do not have this right, so use an api token",
    ]);
}

const fields = {
  ...identity,
  type: choice(["dataset", "dashboard"], {
    description: "Whether the record is a dataset or a dashboard.",
    on: ["create"],
    required: true,
    nullable: false,
  }),
  subtype: text({
    description:
      "Where the rows come from: `api` for pushed rows, otherwise the connector or plugin. Null for dashboards.",
  }),
  name: multilingual({
    description: "Name of the dataset or dashboard, by language.",
    ...settable,
    length: limits.nameLength,
  }),
  description: multilingual({
    ...settable,
    description: "What the dataset or dashboard is about, by language.",
  }),
  subtitle: multilingual({
    ...settable,
    description: "A second line below the name, by language.",
  }),
  custom_metadata: customMetadata(),
  ai_context: text({
    ...settable,
    description:
      "What the assistant should know about the dataset or dashboard, in plain language.",
  }),
  contents: object({
    description: "The definition of a dashboard. Null for datasets.",
    ...settable,
    ...published("contents"),
    onRequest: true,
    check: checkContents,
    described: { given: reference("DashboardContents") },
  }),
  css: text({
    description: "Style sheet of a dashboard.",
    ...settable,
    ...published("css"),
    length: limits.cssLength,
  }),
  source_dataset: text({
    description: "The schema, database or folder of the table at the source.",
  }),
  source_sheet: text({ description: "The table or sheet at the source." }),
  source_query: text({
    description: "The SQL statement behind the dataset, if it is not a table.",
    withheld: true,
    described: { given: Type.Array(reference("FilterParameter")) },
  }),
  source_parameters: list(Type.Record(Type.String(), Type.Unknown()), "a list of parameters", {
    description: "Parameters of the SQL statement behind the dataset.",
    withheld: true,
  }),
  transformation: text({ description: "Reserved by the contract; always null.", withheld: true }),
  rows: number({ description: "Number of stored rows.", withheld: true }),
  file_settings: object({
    description:
      "How the file was read whose rows the dataset contains: `format` and `settings`. Appends and replaces of files without settings use them. Null for datasets without a file.",
    withheld: true,
    described: { given: Type.Record(Type.String(), Type.Unknown()) },
  }),
  featured: flag({
    description: "Reserved by the contract; always false.",
    nullable: false,
    default: false,
  }),
  derived: flag({
    description: "Reserved by the contract; always false.",
    nullable: false,
    default: false,
  }),
  cache: number({
    description:
      "Seconds for which answers of the dataset may be reused. 0: the setting of the connection applies.",
    ...settable,
    nullable: false,
    default: 0,
    check: (value) => (Number(value) >= 0 ? undefined : "be 0 or more seconds"),
  }),
  storage: text({
    description:
      "Where the rows are: the store that holds pushed rows, or `client` for rows that stay at the source.",
  }),
  is_variant: flag({
    description: "Whether the record is a variant of another record.",
    nullable: false,
    default: false,
  }),
  migrated_rows: number({ description: "Reserved by the contract; always null." }),
  uses_strata_experimental: flag({
    description: "Kept for clients of the contract. True for datasets with stored rows.",
    nullable: false,
    default: false,
  }),
  meta_sync_interval: number({
    description: "Hours between two synchronizations of the columns with the source.",
    ...settable,
    nullable: false,
    default: 1,
    check: (value) => (Number(value) > 0 ? undefined : "be more than 0 hours"),
  }),
  meta_sync_inherit: flag({
    description: "Whether the synchronization follows the settings of the connection.",
    ...settable,
    nullable: false,
    default: true,
  }),
  meta_sync_enabled: flag({
    description: "Whether the host synchronizes the columns with the source.",
    ...settable,
    nullable: false,
    default: true,
  }),
  last_metadata_sync_at: instant({ description: "When the columns were last synchronized." }),
  last_metadata_sync_attempt_at: instant({
    description: "When the host last tried to synchronize the columns.",
  }),
  shared_storage_version: uuid({
    description: "Version of the stored rows. Each push changes this version.",
  }),
  shared_storage_metadata: object({
    description: "Ids of the stored columns, by type.",
    ...listsWithoutHidden("shared_storage_metadata"),
    described: { given: reference("StorageMetadata") },
  }),
  storage_location_override: text({
    description: "Reserved by the contract; always null.",
    withheld: true,
  }),
  original_id: uuid({ description: "The record of which this is a variant." }),
  acceleration_id: uuid({
    description: "The acceleration that copies the dataset into the store.",
  }),
  template_id: uuid({ description: "Reserved by the contract; always null." }),
  source_template_id: uuid({ description: "Reserved by the contract; always null." }),
  account_id: uuid({ description: "The connection of the dataset. Null for pushed rows." }),
  modifier_id: uuid({ description: "The user who last changed the record." }),
  owner_id: uuid({ description: "The user who owns the record.", nullable: false }),
  modified_at: instant({
    description: "When a user last changed the record, or rows were pushed.",
    nullable: false,
    default: () => new Date(),
  }),
  ...timestamps,
};

const inputs = { update_metadata: updateMetadata };

/** A dataset or a dashboard. */
export const securable: Declaration<typeof fields, typeof inputs> = {
  name: "securable",
  description: "A dataset or a dashboard; `type` says which. Both are shared in the same way.",
  rights:
    "Its owner has all rights. Links give rights to users, groups and integrations; integrations never own records.",
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
    onValidate: async (values, call, row) =>
      (values.type ?? row?.type) === "dataset" || values.contents == null
        ? {}
        : checkDrawable(values.contents, call),
    async beforeCreate(values, { context, principal, warn }) {
      refuseDatasets(values.type, principal);
      const { userId } = principal;
      const own = { owner_id: userId, modifier_id: userId };
      if (values.type === "dataset")
        refuseWithout("flag_create_datasets", principal, "create a dataset");
      else refuseLook(values, principal);
      if (values.type === "dataset")
        return { ...values, ...inapplicable, ...pushedTo(context), ...own };
      refuseEmptyContents(values);
      warnOfContents(values, warn);
      return { ...values, contents: values.contents ?? emptyContents(), ...own };
    },
    async beforeUpdate(row, values, { principal, warn }) {
      refuseDatasets(row.type, principal);
      const isDashboard = row.type === "dashboard";
      if (isDashboard) {
        refuseEmptyContents(values);
        refuseLook(values, principal, row);
        warnOfContents(values, warn);
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
    async beforeLink({ action, link, own, other, values, path }, call) {
      if (action === "dissociate") return;
      if (link === securableDataset) checkDashboard(own, other);
      if (carriesFilters(link)) await checkLinkFilters(own, { values, path }, call);
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
  shownBeside: {
    update: { metadata_sync: metadataSync },
    validate: { warnings: contentsWarnings },
  },
};
