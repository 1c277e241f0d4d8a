import Type from "typebox";
import { isObject, reference, type ResourceRow, type Members } from "../../base/index.ts";
import { ownsOrganization } from "../rights/allow.ts";
import {
  type Declaration,
  type HookCall,
  choice,
  flag,
  identity,
  sealedObject,
  settable,
  timestamps,
  title,
  uuid,
} from "../kernel/index.ts";
import { refuseSuborganization } from "../rights/refuseSuborganization.ts";
import { checkProvider, refuseNewWayIn } from "../../identity/index.ts";
import { refuseMovedSecret } from "../kernel/refuseMovedSecret.ts";
import { restoreSealed } from "../kernel/restoreSealed.ts";

/** Members of a config of type openid that are not secret. */
const shown = [
  "issuer",
  "client_id",
  "scopes",
  "create_users",
  "link_by_email",
  "session_hours",
  "claims",
];

/**
 * The issuer decides which server receives the client secret. The SCIM token is only compared by this host and never
 * sent.
 */
const sealedConfig = {
  member: "config",
  harmless: [...shown.filter((name) => name !== "issuer"), "scim_token"],
  secrets: ["client_secret"],
};

/** Returns a stored config for a response. Secrets, and members that type openid does not define, are null. */
function presentConfig(stored: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [name, shown.includes(name) ? value : null]),
  );
}

/**
 * Refuses a provider whose issuer this host may not reach.
 * @throws {ApiError} MEMBER_INVALID
 */
async function refuseIssuer(config: unknown, { context, principal }: HookCall): Promise<void> {
  const issuer =
    isObject<"issuer">(config) && Object.hasOwn(config, "issuer") ? config.issuer : undefined;
  if (typeof issuer !== "string") return;
  const { organizationId } = principal;
  const path = "properties.config.issuer";
  await context.connections.refuseAddress(issuer, { path, organizationId });
}

/**
 * Refuses to send a stored secret to another issuer. Configs of type saml are exempt, because the host never sends any
 * part of them.
 * @throws {ApiError} SECRET_AGAIN
 */
function refuseMoved(row: ResourceRow<"ssoconfig">, values: Members<"type">): void {
  if ([row.type, values.type].includes("openid")) refuseMovedSecret(row, values, sealedConfig);
}

const fields = {
  ...identity,
  name: title({
    description: "Name of the sign-on, as the sign-in page shows it.",
    ...settable,
    required: true,
    nullable: false,
  }),
  type: choice(["saml", "openid"], {
    description: "Protocol of the provider. The host signs people on only with `openid`.",
    ...settable,
    required: true,
    nullable: false,
  }),
  config: sealedObject({
    description: "Settings of the provider. Responses show no secrets.",
    ...settable,
    show: presentConfig,
    described: { given: reference("SsoConfig") },
  }),
  active: flag({
    description: "Whether people can sign on with the provider.",
    ...settable,
    nullable: false,
    default: false,
  }),
  organization_id: uuid({ description: "The organization of the sign-on.", nullable: false }),
  ...timestamps,
};

/**
 * How the users of an organization sign on through an identity provider, and the rights that the provider's claims
 * give. Only owners of the organization have access. Changing an ssoconfig revokes the sessions that were started
 * through it.
 */
export const ssoConfig: Declaration<typeof fields> = {
  name: "ssoconfig",
  description: "A provider of OpenID Connect through which people of the organization sign on.",
  rights: "Owners of the whole organization have all rights. Nobody else can see it.",
  actions: ["create", "get", "update", "delete", "validate"],
  roles: { create: "organizationOwner", update: "own" },
  fields,
  variants: {
    by: "type",
    members: {
      openid: { config: reference("OpenidConfig") },
      saml: { config: Type.Optional(reference("SsoConfig")) },
    },
  },
  allow(query, alias, _right, principal) {
    if (!ownsOrganization(principal)) query.whereRaw("false");
    else query.where(`${alias}.organization_id`, principal.organizationId);
  },
  associations: {
    Organization: { kind: "one", resource: "organization", key: "organization_id" },
  },
  hooks: {
    async onValidate(values, call, row) {
      await refuseIssuer(values.config, call);
      if (row) refuseMoved(row, values);
      return {};
    },
    async beforeCreate(values, call) {
      const { principal } = call;
      refuseSuborganization(principal);
      refuseNewWayIn(principal, "configure sign-on");
      checkProvider(values.type, values.config);
      await refuseIssuer(values.config, call);
      return { ...values, organization_id: principal.organizationId };
    },
    async beforeUpdate(row, values, call) {
      refuseNewWayIn(call.principal, "configure sign-on");
      await refuseIssuer(values.config, call);
      const restored = restoreSealed(row, values, "config");
      const { type, config } = { ...row, ...restored };
      if (values.type !== undefined || values.config !== undefined) checkProvider(type, config);
      refuseMoved(row, values);
      return restored;
    },
    async afterUpdate(row, values, _call, transaction) {
      const members = ["type", "config", "active"];
      if (members.some((member) => values[member] !== undefined))
        await transaction("authorization").where({ ssoconfig_id: row.id }).delete();
    },
  },
};
