import { isList, isRecord, type Api, type Found } from "../../../api/index.ts";
import type { RecordOf } from "../../../records/index.ts";
import type { words } from "./words.ts";

/** An ssoconfig in the form in which a search returns it. Secrets in its config are null. */
export type SignOnConfig = RecordOf<"ssoconfig">;

/** The addresses of an ssoconfig, and the number of users and sessions that depend on it. */
export interface Explained {
  readonly sign_on_url: string;
  readonly redirect_url: string;
  readonly scim_url: string;
  readonly user_count: number;
  readonly session_count: number;
  readonly provisioned_user_count: number;
  readonly provisioned_group_count: number;
}

/** The result of testing a provider. */
export interface Tested extends Readonly<Record<keyof typeof words.endpoints, string | null>> {
  readonly outcome: "passed" | "failed";
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

export const readConfigs = (
  api: Api,
  find: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Found<SignOnConfig>> => api.get<SignOnConfig>("ssoconfig", find, { signal });

/** A value of a claim, and the role or group that it stands for. */
export interface Meaning {
  value: string;
  means: string;
}

/** A config in the form in which it is edited: strings, and lists of lines. */
export interface SignOnDraft {
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Whether the host has a secret. The secret is kept unless the reader enters a new secret or removes it. */
  hasSecret: boolean;
  hasScimToken: boolean;
  scopes: string;
  hours: string;
  createUsers: boolean;
  linkByEmail: boolean;
  externalClaim: string;
  suborganizationClaim: string;
  roleClaim: string;
  roleValues: Meaning[];
  groupsClaim: string;
  groupValues: Meaning[];
  parameters: { name: string; claim: string; isList: boolean }[];
}

const textIn = (value: unknown, fallback = ""): string =>
  typeof value === "string" ? value : fallback;

function meaningsIn(mapping: unknown): Meaning[] {
  const values = isRecord(mapping) ? mapping["values"] : undefined;
  return isRecord(values)
    ? Object.entries(values).map(([value, means]) => ({ value, means: String(means) }))
    : [];
}

const claimIn = (mapping: unknown): string => (isRecord(mapping) ? textIn(mapping["claim"]) : "");

/** Returns the form values of a stored config, or of a new config. */
export function draftOf(stored?: SignOnConfig, name = ""): SignOnDraft {
  const config = stored?.config ?? {};
  const claims = isRecord(config["claims"]) ? config["claims"] : {};
  const parameters = isRecord(claims["parameters"]) ? Object.entries(claims["parameters"]) : [];
  const scopes = config["scopes"];
  return {
    name,
    issuer: textIn(config["issuer"]),
    clientId: textIn(config["client_id"]),
    clientSecret: "",
    hasSecret: Object.hasOwn(config, "client_secret"),
    hasScimToken: Object.hasOwn(config, "scim_token"),
    scopes: isList(scopes) ? scopes.join(" ") : "openid email profile",
    hours: String(config["session_hours"] ?? 12),
    createUsers: config["create_users"] !== false,
    linkByEmail: config["link_by_email"] === true,
    externalClaim: textIn(claims["external_id"]),
    suborganizationClaim: textIn(claims["suborganization"]),
    roleClaim: claimIn(claims["role"]),
    roleValues: meaningsIn(claims["role"]),
    groupsClaim: claimIn(claims["groups"]),
    groupValues: meaningsIn(claims["groups"]),
    parameters: parameters.map(([parameter, source]) => ({
      name: parameter,
      claim: typeof source === "string" ? source : claimIn(source),
      isList: isRecord(source) && source["list"] === true,
    })),
  };
}

function mappingOf(claim: string, values: readonly Meaning[]): object | undefined {
  if (claim.trim() === "") return undefined;
  const named = values.filter(({ value, means }) => value !== "" && means !== "");
  return {
    claim: claim.trim(),
    values: Object.fromEntries(named.map(({ value, means }) => [value, means])),
  };
}

function claimsOf(draft: SignOnDraft): Readonly<Record<string, unknown>> {
  const role = mappingOf(draft.roleClaim, draft.roleValues);
  const groups = mappingOf(draft.groupsClaim, draft.groupValues);
  const parameters = draft.parameters.filter(({ name }) => name.trim() !== "");
  const [external, suborganization] = [
    draft.externalClaim.trim(),
    draft.suborganizationClaim.trim(),
  ];
  return {
    ...(external !== "" && { external_id: external }),
    ...(suborganization !== "" && { suborganization }),
    ...(role && { role }),
    ...(groups && { groups }),
    ...(parameters.length > 0 && {
      parameters: Object.fromEntries(
        parameters.map(({ name, claim, isList: list }) => [
          name.trim(),
          list ? { claim: claim.trim(), list } : claim.trim(),
        ]),
      ),
    }),
  };
}

/** Returns the config for the API. An unchanged secret is null, so the host keeps its value. */
export function configOf(draft: SignOnDraft): Readonly<Record<string, unknown>> {
  const claims = claimsOf(draft);
  return {
    issuer: draft.issuer.trim(),
    client_id: draft.clientId.trim(),
    ...(draft.clientSecret !== ""
      ? { client_secret: draft.clientSecret }
      : draft.hasSecret && { client_secret: null }),
    ...(draft.hasScimToken && { scim_token: null }),
    scopes: draft.scopes.split(/\s+/).filter((each) => each !== ""),
    session_hours: Number(draft.hours),
    create_users: draft.createUsers,
    link_by_email: draft.linkByEmail,
    ...(Object.keys(claims).length > 0 && { claims }),
  };
}
