import Type from "typebox";
import { isInNetworks } from "../../identity/index.ts";
import { ApiError } from "../../base/index.ts";
import {
  type Declaration,
  type LinkChange,
  type Values,
  customMetadata,
  flag,
  identity,
  limits,
  list,
  multilingual,
  text,
  timestamps,
} from "../kernel/index.ts";
import { refuseSuborganization } from "../rights/refuseSuborganization.ts";
import {
  channelOrganization,
  organizationThumbnail,
  organizationUser,
  pluginOrganization,
} from "../rights/links.ts";
import type { Knex } from "knex";
import { checkNetworks } from "./checkNetworks.ts";

/** Refuses a change that leaves an organization without an owner, or a user without an organization. */
export async function refuseOwnerless(
  { action, link, own, other, values }: LinkChange,
  transaction: Knex.Transaction,
): Promise<void> {
  if (link !== organizationUser) return;
  if (action === "dissociate")
    throw new ApiError("CONFLICT", [
      "a user belongs to exactly one organization; delete the user instead",
    ]);
  if (values["flagOwn"] === true) return;
  const owners: string[] = await transaction("organization_user")
    .where("flagOwn", true)
    .whereIn("organization_id", [own.id, other.id])
    .forUpdate()
    .pluck("user_id");
  if (owners.length === 1 && (owners[0] === own.id || owners[0] === other.id))
    throw new ApiError("CONFLICT", [
      "this is the last owner of the organization; make another user an owner first",
    ]);
}

const fields = {
  ...identity,
  name: multilingual({
    description: "Name of the organization, by language.",
    on: ["update"],
    nullable: false,
    length: limits.nameLength,
  }),
  country_id: text({
    description: "Country of the organization, as an ISO 3166-1 code.",
    on: ["update"],
    refersTo: ["country", "read"],
  }),
  locale_id: text({
    description: "Default language of the organization's people.",
    on: ["update"],
    refersTo: ["locale", "read"],
  }),
  require_second_factor: flag({
    description: "Whether everyone who signs in by password needs a second factor.",
    on: ["update"],
    nullable: false,
    default: false,
  }),
  /** Networks from which people and API tokens of the organization may call; null for any address. */
  allowed_addresses: list(Type.String(), "a list of IP addresses and networks", {
    description:
      "IP addresses and networks from which people and API tokens may call. An empty list allows every address.",
    on: ["update"],
    check: checkNetworks,
  }),
  /**
   * Whether a person without credentials created the organization by signing up. An organization that was created in
   * this way cannot use folders or private addresses that are shared among organizations.
   */
  signed_up: flag({ nullable: false, default: true, hidden: true }),
  custom_metadata: customMetadata(),
  ...timestamps,
};

const inputs = {
  /** Whether the caller confirms `allowed_addresses` that exclude the caller's own address. */
  confirm_lockout: flag({
    description: "Confirms a change of `allowed_addresses` that would shut out the caller.",
    on: ["update"],
    nullable: false,
  }),
};

/**
 * Refuses networks that exclude the caller's address, unless the caller confirms them.
 * @throws {ApiError} MEMBER_INVALID
 */
function refuseLockout(
  { allowed_addresses: networks, confirm_lockout }: Values,
  address: string | undefined,
): void {
  if (!Array.isArray(networks) || confirm_lockout === true) return;
  if (address !== undefined && isInNetworks(address, networks.map(String))) return;
  const problem = `it excludes the address of this call, ${address ?? "which is not known"}, so you would lock yourself out; add the address, or send confirm_lockout: true`;
  throw new ApiError("MEMBER_INVALID", ["properties.allowed_addresses", problem], {
    validation: { allowed_addresses: [problem] },
  });
}

/**
 * The tenant. Each user belongs to exactly one organization. The host creates the first organization at its first
 * start, and sign-ups create further ones.
 */
export const organization: Declaration<typeof fields, typeof inputs> = {
  name: "organization",
  description: "The organization to which users, their records and their tokens belong.",
  rights:
    "Its users can read it. Owners of the whole organization have all rights; owners of a suborganization do not.",
  actions: ["get", "update", "associate", "dissociate", "validate"],
  fields,
  inputs,
  allow(query, alias, right, { userId, organizationId, organizationRole }) {
    query.where(`${alias}.id`, organizationId);
    if (right === "read" || right === "use") return;
    if (organizationRole !== "owner") query.whereRaw("false");
    else
      query.whereRaw(
        'exists (select 1 from "user" me where me.id = ? and me.suborganization is null)',
        [userId],
      );
  },
  inOrganization(query, alias, { organizationId }) {
    query.where(`${alias}.id`, organizationId);
  },
  associations: {
    Users: {
      kind: "through",
      resource: "user",
      link: organizationUser,
      ownKey: "organization_id",
      otherKey: "user_id",
      roles: ["own", "organizationMember"],
    },
    Plugins: {
      kind: "through",
      resource: "plugin",
      link: pluginOrganization,
      ownKey: "organization_id",
      otherKey: "plugin_id",
      roles: ["organizationMember", "own"],
    },
    Groups: { kind: "many", resource: "group", key: "organization_id" },
    Integrations: { kind: "many", resource: "integration", key: "organization_id" },
    Tags: { kind: "many", resource: "tag", key: "organization_id" },
    Themes: { kind: "many", resource: "theme", key: "organization_id" },
    SSOConfigs: { kind: "many", resource: "ssoconfig", key: "organization_id" },
    Channels: {
      kind: "through",
      resource: "channel",
      link: channelOrganization,
      ownKey: "organization_id",
      otherKey: "channel_id",
      roles: ["organizationMember", "own"],
    },
    Thumbnails: {
      kind: "through",
      resource: "thumbnail",
      link: organizationThumbnail,
      ownKey: "organization_id",
      otherKey: "thumbnail_id",
      roles: ["modify", "read"],
    },
    Country: { kind: "one", resource: "country", key: "country_id", roles: ["own", "read"] },
    Locale: { kind: "one", resource: "locale", key: "locale_id", roles: ["own", "read"] },
  },
  hooks: {
    async onValidate(values, { address }) {
      refuseLockout(values, address);
      return {};
    },
    async beforeUpdate(_row, values, { address }) {
      refuseLockout(values, address);
      return values;
    },
    async beforeLink(change, { principal }, transaction) {
      const { action, link } = change;
      if (action === "associate" && (link === pluginOrganization || link === channelOrganization))
        refuseSuborganization(principal);
      await refuseOwnerless(change, transaction);
    },
  },
};
