import { type Link } from "./kernel/index.ts";

const rightFlags = ["flagRead", "flagUse", "flagModify", "flagOwn"];

export const securableUser: Link = {
  table: "securable_user",
  view: "securable_access",
  uniqueBy: ["securable_id", "user_id"],
  member: "securableUser",
  columns: ["securable_id", "user_id", ...rightFlags],
  flags: rightFlags,
};

export const accountUser: Link = {
  table: "account_user",
  view: "account_access",
  uniqueBy: ["account_id", "user_id"],
  member: "accountUser",
  columns: ["account_id", "user_id", ...rightFlags],
  flags: rightFlags,
};

const roleFlags = ["flagMember", "flagEditor", "flagOwn"];

export const organizationUser: Link = {
  table: "organization_user",
  uniqueBy: ["user_id"],
  member: "organizationRole",
  columns: ["organization_id", "user_id", ...roleFlags],
  flags: roleFlags,
};

export const pluginOrganization: Link = {
  table: "plugin_organization",
  uniqueBy: ["plugin_id", "organization_id"],
  member: "pluginOrganization",
  columns: ["plugin_id", "organization_id"],
};

export const pluginUser: Link = {
  table: "plugin_user",
  view: "plugin_access",
  uniqueBy: ["plugin_id", "user_id"],
  member: "pluginUser",
  columns: ["plugin_id", "user_id"],
};

export const columnJoins: Link = {
  table: "column_joins",
  uniqueBy: ["column_id", "joins_id"],
  member: "join",
  columns: ["column_id", "joins_id", "type", "created_at", "updated_at"],
  choice: { member: "type", values: ["exact", "lookup"] },
};
