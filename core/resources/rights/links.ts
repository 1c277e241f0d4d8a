import Type from "typebox";
import { reference } from "../../base/index.ts";
import { type Fields, type Link, flag, limits, list, text } from "../kernel/index.ts";

const rightFlags = ["flagRead", "flagUse", "flagModify", "flagOwn"];

/** Declares a link that gives users or groups rights on records of a resource. */
function rightsLink(resource: string, holder: "user" | "group", more: Partial<Link> = {}): Link {
  const keys = [`${resource}_id`, `${holder}_id`];
  return {
    table: `${resource}_${holder}`,
    ...(holder === "user" && { view: `${resource}_access` }),
    uniqueBy: keys,
    member: `${resource}${holder === "user" ? "User" : "Group"}`,
    alias: `${holder}AccessRight`,
    columns: [...keys, ...rightFlags, ...Object.keys(more.fields ?? {})],
    flags: rightFlags,
    feature: "flag_private_sharing",
    ...more,
  };
}

/** Declares a link between two records that gives no rights. */
function plainLink(table: string, member: string, keys: readonly [string, string]): Link {
  return { table, member, uniqueBy: keys, columns: keys };
}

const published: Fields = {
  published: flag({
    description: "Whether the record is shared with everyone.",
    nullable: false,
    default: false,
  }),
};

/**
 * Row filters of a dataset's share, in the form of the embed filter group; null for none. Sharing again without filters
 * keeps the stored filters, and an empty list removes them. Only owners of the dataset can read them.
 */
const filters: Fields = {
  filters: {
    ...list(Type.Unknown(), "a list of filters", {
      description: "Row filters that apply to the people with whom the dataset is shared.",
      described: { given: Type.Array(reference("RowFilter")) },
    }),
    convert: (value) => (Array.isArray(value) && value.length === 0 ? null : value),
    stays: true,
  },
};
const filtersGuard: NonNullable<Link["guard"]> = {
  members: ["filters"],
  resource: "securable",
  key: "securable_id",
};

export const securableUser = rightsLink("securable", "user", {
  fields: filters,
  // The API has this flag for groups and users, but it has an effect only for the Public group.
  inert: ["published"],
  guard: filtersGuard,
});
export const securableGroup = rightsLink("securable", "group", {
  fields: { ...published, ...filters },
  guard: filtersGuard,
});
export const accountUser = rightsLink("account", "user");
export const accountGroup = rightsLink("account", "group");
export const collectionUser = rightsLink("collection", "user");
export const collectionGroup = rightsLink("collection", "group");
export const formulaUser = rightsLink("formula", "user");
export const formulaGroup = rightsLink("formula", "group");
export const integrationUser = rightsLink("integration", "user");
export const integrationGroup = rightsLink("integration", "group", {
  columns: ["integration_id", "group_id", "flagRead", "flagUse", "flagModify"],
  flags: ["flagRead", "flagUse", "flagModify"],
});

const slug: Fields = {
  slug: text({
    description: "Short name of the record in the integration, by which pages can refer to it.",
    length: limits.slugLength,
    check: (value) =>
      /^[a-z0-9_-]+$/i.test(String(value)) ? undefined : "have only letters, digits, - or _",
  }),
};

export const securableIntegration: Link = {
  table: "securable_integration",
  feature: "flag_private_sharing",
  uniqueBy: ["securable_id", "integration_id"],
  member: "securableIntegration",
  alias: "integrationAccessRight",
  columns: [
    "securable_id",
    "integration_id",
    "flagRead",
    "flagUse",
    "flagModify",
    "slug",
    "filters",
  ],
  flags: ["flagRead", "flagUse", "flagModify"],
  fields: { ...slug, ...filters },
  guard: filtersGuard,
};

/**
 * Flags of a link to a group. `flagMember` means membership, which gives access to records shared with the group.
 * `flagUse` and `flagModify` give no further rights.
 */
const groupFlags = ["flagRead", "flagMember", "flagUse", "flagModify", "flagOwn"];

export const groupUser: Link = {
  table: "group_user",
  feature: "flag_private_sharing",
  uniqueBy: ["group_id", "user_id"],
  member: "groupRole",
  columns: ["group_id", "user_id", ...groupFlags],
  flags: groupFlags,
  usualFlag: "flagMember",
};

const roleFlags = ["flagMember", "flagEditor", "flagOwn"];

export const organizationUser: Link = {
  table: "organization_user",
  view: "organization_role",
  uniqueBy: ["user_id"],
  member: "organizationRole",
  columns: [
    "organization_id",
    "user_id",
    ...roleFlags,
    "flagSuborganizationOwn",
    "sso",
    "suborganization",
  ],
  flags: roleFlags,
  inert: ["flagAdmin"],
  fields: {
    flagSuborganizationOwn: flag({
      description: "Whether the user is an owner of the users in the same suborganization.",
      nullable: false,
      default: false,
    }),
  },
};

export const pluginOrganization = plainLink("plugin_organization", "pluginOrganization", [
  "plugin_id",
  "organization_id",
]);
export const pluginUser: Link = {
  ...plainLink("plugin_user", "pluginUser", ["plugin_id", "user_id"]),
  view: "plugin_access",
  feature: "flag_private_sharing",
};
export const channelUser = plainLink("channel_user", "channelUser", ["channel_id", "user_id"]);
export const channelOrganization = plainLink("channel_organization", "channelOrganization", [
  "channel_id",
  "organization_id",
]);
export const alertChannel = plainLink("alert_channel", "alertChannel", ["alert_id", "channel_id"]);
export const scheduleChannel = plainLink("schedule_channel", "scheduleChannel", [
  "schedule_id",
  "channel_id",
]);
export const collectionSecurable = plainLink("collection_securable", "collectionSecurable", [
  "collection_id",
  "securable_id",
]);
export const securableFormula = plainLink("securable_formula", "securableFormula", [
  "securable_id",
  "formula_id",
]);
export const securableTag = plainLink("securable_tag", "securableTag", ["securable_id", "tag_id"]);
export const securableDataset = plainLink("securable_dataset", "securableDataset", [
  "dashboard_id",
  "dataset_id",
]);
export const securableFavorite: Link = {
  table: "securable_favorite",
  member: "securableFavorite",
  uniqueBy: ["securable_id", "favorite_id", "user_id"],
  columns: ["securable_id", "favorite_id"],
  personal: "user_id",
};

const thumbnailLink = (resource: string) =>
  plainLink(`${resource}_thumbnail`, `${resource}Thumbnail`, [`${resource}_id`, "thumbnail_id"]);
export const pluginThumbnail = thumbnailLink("plugin");
export const securableThumbnail = thumbnailLink("securable");
export const organizationThumbnail = thumbnailLink("organization");
export const userThumbnail = thumbnailLink("user");

export const columnJoins: Link = {
  table: "column_joins",
  uniqueBy: ["column_id", "joins_id"],
  member: "join",
  columns: ["column_id", "joins_id", "type", "created_at", "updated_at"],
  choice: { member: "type", values: ["exact", "lookup"] },
};

/** The filters that a filter group has for a dataset. */
export const embedFilterGroupSecurable: Link = {
  table: "embedfiltergroup_securable",
  uniqueBy: ["embedfiltergroup_id", "securable_id"],
  member: "embedFilterGroupSecurable",
  columns: ["embedfiltergroup_id", "securable_id", "filters"],
  fields: {
    filters: list(Type.Unknown(), "a list of filters", {
      description: "Row filters that apply to every embed token.",
      described: { given: Type.Array(reference("RowFilter")) },
    }),
  },
};
