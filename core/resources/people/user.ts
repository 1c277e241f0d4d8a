import Type from "typebox";
import type { Knex } from "knex";
import { ApiError, reference, type ResourceRow } from "../../base/index.ts";
import { ownsOrganization } from "../rights/allow.ts";
import { allowUser, inOrganizationOfUser } from "../rights/allowUser.ts";
import { hasEndings, endings, endTokens } from "./endTokens.ts";
import {
  type Declaration,
  type HookCall,
  type Values,
  customMetadata,
  identity,
  limits,
  object,
  settable,
  text,
  timeZone,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { auditSentSecrets } from "./auditSentSecrets.ts";
import { restoreSealed } from "../kernel/restoreSealed.ts";
import {
  accountUser,
  channelUser,
  collectionUser,
  formulaUser,
  groupUser,
  integrationUser,
  organizationUser,
  pluginUser,
  securableUser,
  userThumbnail,
} from "../rights/links.ts";
import {
  checkFeatureChange,
  featureOverrides,
  featureWarning,
  inheritAllRemovals,
  warningsOf,
} from "./featureFields.ts";
import { refuseOwnerless } from "./organization.ts";
import { transferOwned } from "./transferOwned.ts";
import { checkOverrides, overrideFields } from "./userOverrides.ts";
import { oldPassword, password } from "./passwordFields.ts";
import {
  createLoginPair,
  isBoundItself,
  storeLoginPair,
  checkOldPassword,
  refuseEmailAlone,
  refuseNewWayIn,
  storePassword,
} from "../../identity/index.ts";

/** The login pair of a new user. */
const newUsersKey = Type.String({
  description: "The key of a login pair, with which the new user can sign in.",
});
const newUsersToken = Type.String({
  description: "The token of the login pair, shown only once.",
});

const fields = {
  ...identity,
  email: text({
    description: "E-mail address, with which the user signs in.",
    ...settable,
    required: true,
    nullable: false,
    check: (value) =>
      /^[^\s@]+@[^\s@]+$/.test(String(value)) ? undefined : "be an e-mail address",
    length: limits.nameLength,
  }),
  name: text({
    description: "Name of the user, as other people see it.",
    ...settable,
    length: limits.nameLength,
  }),
  city: text({ ...settable, description: "City, for the user's profile." }),
  phone: text({ ...settable, description: "Phone number, for the user's profile." }),
  company: text({ ...settable, description: "Company, for the user's profile." }),
  role: text({ ...settable, description: "Role in the organization: viewer, designer or owner." }),
  suborganization: text({
    description:
      "Name of the part of the organization to which the user belongs. Its members see only each other. Null for users of the whole organization.",
    ...settable,
    length: limits.nameLength,
  }),
  theme: object({
    description: "Look of dashboards for the user.",
    ...settable,
    described: { given: reference("ThemeDefinition") },
  }),
  locale: text({
    ...settable,
    description: "Language of the user, such as `en`. Same as `locale_id`.",
  }),
  locale_id: text({ ...settable, description: "Language of the user, such as `en`." }),
  timezone_id: timeZone({
    ...settable,
    description: "Time zone of the user, such as `Europe/Brussels`.",
  }),
  country_id: text({
    description: "Country of the user, as an ISO 3166-1 code.",
    ...settable,
    refersTo: ["country", "read"],
  }),
  feature_overrides: featureOverrides({
    ...settable,
    description: "Feature flags to add to those of the user's role, or to remove from them.",
  }),
  custom_metadata: customMetadata(),
  ...overrideFields,
  ...timestamps,
};

const inputs = {
  successor_id: uuid({
    description: "The user who receives the records of the deleted user.",
    on: ["delete"],
  }),
  password,
  old_password: oldPassword,
  ...endings,
};

/**
 * A person or program that makes calls. Users can see themselves, owners of the organization can see all its users, and
 * owners inside a suborganization can see its users.
 */
export const user: Declaration<typeof fields, typeof inputs> = {
  name: "user",
  description: "A person, or a reader of embedded pages, who belongs to an organization.",
  rights:
    "A user has all rights on themselves. Owners of the organization have all rights on its users, and owners of a suborganization on the users of that suborganization.",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  roles: { create: "organizationOwner" },
  fields,
  inputs,
  allow: allowUser,
  inOrganization: inOrganizationOfUser,
  associations: {
    Organizations: {
      kind: "through",
      resource: "organization",
      link: organizationUser,
      ownKey: "user_id",
      otherKey: "organization_id",
      roles: ["organizationMember", "own"],
    },
    Securables: {
      kind: "through",
      resource: "securable",
      link: securableUser,
      ownKey: "user_id",
      otherKey: "securable_id",
      roles: ["organizationEditor", "own"],
    },
    Accounts: {
      kind: "through",
      resource: "account",
      link: accountUser,
      ownKey: "user_id",
      otherKey: "account_id",
    },
    Shareables: {
      kind: "through",
      resource: "account",
      link: accountUser,
      ownKey: "user_id",
      otherKey: "account_id",
      lookup: "shareable_id",
      roles: ["organizationEditor", "own"],
    },
    Plugins: {
      kind: "through",
      resource: "plugin",
      link: pluginUser,
      ownKey: "user_id",
      otherKey: "plugin_id",
      roles: ["organizationMember", "own"],
    },
    Groups: {
      kind: "through",
      resource: "group",
      link: groupUser,
      ownKey: "user_id",
      otherKey: "group_id",
      roles: ["organizationEditor", "own"],
    },
    Collections: {
      kind: "through",
      resource: "collection",
      link: collectionUser,
      ownKey: "user_id",
      otherKey: "collection_id",
      roles: ["organizationEditor", "own"],
    },
    Formulas: {
      kind: "through",
      resource: "formula",
      link: formulaUser,
      ownKey: "user_id",
      otherKey: "formula_id",
      roles: ["organizationEditor", "own"],
    },
    Integrations: {
      kind: "through",
      resource: "integration",
      link: integrationUser,
      ownKey: "user_id",
      otherKey: "integration_id",
      roles: ["organizationEditor", "own"],
    },
    Channels: {
      kind: "through",
      resource: "channel",
      link: channelUser,
      ownKey: "user_id",
      otherKey: "channel_id",
      roles: ["organizationEditor", "own"],
    },
    Thumbnails: {
      kind: "through",
      resource: "thumbnail",
      link: userThumbnail,
      ownKey: "user_id",
      otherKey: "thumbnail_id",
      roles: ["modify", "read"],
    },
    Country: { kind: "one", resource: "country", key: "country_id", roles: ["own", "read"] },
    Locale: { kind: "one", resource: "locale", key: "locale_id", roles: ["own", "read"] },
    Timezone: { kind: "one", resource: "timezone", key: "timezone_id", roles: ["own", "read"] },
  },
  hooks: {
    async beforeCreate(values, call) {
      const { context, principal } = call;
      const overridden = await checkOverrides(values, call);
      const [me] = await context.records.find("user", { id: principal.userId });
      const own = me?.suborganization ?? null;
      const pair = createLoginPair();
      return {
        ...values,
        ...overridden,
        ...inheritAllRemovals(values, principal),
        ...(own !== null && { suborganization: own }),
        ...pair,
      };
    },
    async onValidate(values, { principal }, row) {
      checkFeatureChange(row, values, principal);
      return warningsOf(values, "user");
    },
    async beforeUpdate(row, given, call) {
      refuseMove(row, given, call);
      checkFeatureChange(row, given, call.principal);
      const values = ["account_overrides", "parameter_overrides"].reduce(
        (kept: Values, member) => restoreSealed(row, kept, member),
        given,
      );
      return { ...values, ...(await checkOverrides(values, call)), ...warningsOf(given, "user") };
    },
    async afterCreate(row, call, transaction, values) {
      const { context, principal } = call;
      const { account_overrides: overrides } = values;
      await auditSentSecrets({ resource: "user", id: row.id }, overrides, call, transaction);
      const { key, token } = values;
      const pair = { key: String(key), token: String(token) };
      await storeLoginPair(pair, row.id, context.records, transaction);
      await transaction(organizationUser.table).insert({
        organization_id: principal.organizationId,
        user_id: row.id,
      });
      await setPassword(row, values, pair.key, transaction);
    },
    async afterUpdate(row, values, call, transaction) {
      const { principal, context } = call;
      const { account_overrides: overrides } = values;
      await auditSentSecrets({ resource: "user", id: row.id }, overrides, call, transaction);
      const isOwn = row.id === principal.userId;
      const setsPassword = values.password !== undefined;
      if ((setsPassword || hasEndings(values)) && !isOwn && principal.organizationRole !== "owner")
        throw new ApiError("FORBIDDEN", ["act as an owner of the organization, or as this user"]);
      if (setsPassword && (!isOwn || isBoundItself(principal)))
        refuseNewWayIn(principal, "set a password");
      if (setsPassword && isOwn)
        await checkOldPassword(row.id, values.old_password, transaction, context.knex);
      await setPassword(row, values, principal.authorizationId, transaction);
      await endTokens(row.id, values, principal, transaction);
    },
    async beforeDelete(row, call, transaction, { successor_id }) {
      const { principal } = call;
      const owners: string[] = await transaction("organization_user")
        .where({ organization_id: principal.organizationId, flagOwn: true })
        .forUpdate()
        .pluck("user_id");
      if (owners.length === 1 && owners[0] === row.id)
        throw new ApiError("CONFLICT", [
          "this is the last owner of the organization; make another user an owner first",
        ]);
      const successorId = typeof successor_id === "string" ? successor_id : undefined;
      await transferOwned(row, successorId, call, transaction);
    },
    beforeLink: (change, _call, transaction) => refuseOwnerless(change, transaction),
  },
  me: ({ userId }) => userId,
  shownBeside: {
    create: { ...featureWarning, key: newUsersKey, token: newUsersToken },
    update: featureWarning,
    validate: featureWarning,
  },
};

/**
 * Lets only owners of the whole organization move a user to another suborganization, which decides what the user can
 * see. Nobody can move themselves, because they could not move back.
 */
function refuseMove(
  row: ResourceRow<"user">,
  { suborganization }: Values,
  { principal }: HookCall,
): void {
  if (suborganization === undefined || suborganization === row.suborganization) return;
  if (!ownsOrganization(principal))
    throw new ApiError("FORBIDDEN", [
      "move a user to another suborganization; only owners outside of suborganizations have this right",
    ]);
  if (row.id === principal.userId)
    throw new ApiError("CONFLICT", [
      "users cannot move themselves to a suborganization; ask another owner of the organization",
    ]);
}

/**
 * Stores or removes the password in the call. If the call has no password, checks that the call does not change the
 * e-mail address under which the password is stored.
 */
async function setPassword(
  { id, ...row }: ResourceRow<"user">,
  { password: given }: Values,
  keptAuthorizationId: string,
  transaction: Knex.Transaction,
): Promise<void> {
  const own = { id, email: String(row.email), name: row.name };
  if (given === undefined) await refuseEmailAlone(own, transaction);
  else
    await storePassword(
      own,
      given === null ? null : String(given),
      keptAuthorizationId,
      transaction,
    );
}
