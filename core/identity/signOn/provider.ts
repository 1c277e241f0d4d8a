import Type, { type TSchema } from "typebox";
import { invalid, readEntries, readObject, parseParameters } from "../access/index.ts";
import { isUuid, memberNames, type Members, type NamedSchemas } from "../../base/index.ts";

/** The roles in an organization, lowest first. */
export const roles = ["member", "editor", "owner"] as const;
export type SignOnRole = (typeof roles)[number];

/** The claim to read, and the meaning of its values. */
export interface Mapping<Meaning> {
  /** The name of a claim, or a path of names separated by dots. */
  readonly claim: string;
  /** The meaning of each value. Other values are ignored. */
  readonly values: ReadonlyMap<string, Meaning>;
}

/** A claim that sets a parameter. With `isList`, a single value becomes a list with one entry. */
export interface ParameterClaim {
  readonly claim: string;
  readonly isList: boolean;
}

/** An OpenID Connect provider and the mapping of its claims, from an ssoconfig of type openid. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  /** The client secret. Undefined for a public client, which only PKCE protects. */
  readonly clientSecret: string | undefined;
  readonly scopes: readonly string[];
  /** Whether to create a user for a person who does not have one. */
  readonly makesUsers: boolean;
  /**
   * Whether to link a person without a user to the only user of the organization with the same verified e-mail address.
   */
  readonly linksByEmail: boolean;
  /** The token with which the provider manages users and groups; undefined if the provider does not manage any. */
  readonly scimToken: string | undefined;
  /** The claim that contains the `externalId` of users whom the provider manages. */
  readonly externalId: string;
  /** Maximum duration of a session in hours. */
  readonly sessionHours: number;
  readonly role: Mapping<SignOnRole> | undefined;
  /** The group id for each value of the claim. Only the provider manages the members of these groups. */
  readonly groups: Mapping<string> | undefined;
  /** The claim that contains the user's suborganization. */
  readonly suborganization: string | undefined;
  /** The claim that sets each parameter, by the name of the parameter. */
  readonly parameters: ReadonlyMap<string, ParameterClaim>;
}

const textLength = 2_000;
const mostValues = 500;
const mostHours = 168;
const shortestSecret = 32;

/** Default duration of a session in hours: a working day. */
const usualHours = 12;

const Text = (description?: string) =>
  Type.String({
    minLength: 1,
    maxLength: textLength,
    ...(description !== undefined && { description }),
  });
const closed = { additionalProperties: false } as const;
const mappingTo = (meaning: TSchema, description: string) =>
  Type.Optional(
    Type.Object(
      {
        claim: Type.String({
          maxLength: textLength,
          description: "The name of a claim, or a path of names separated by dots.",
        }),
        values: Type.Record(Type.String(), meaning, {
          description: "What each value of the claim means. Other values have no effect.",
        }),
      },
      { ...closed, description },
    ),
  );
const ParameterClaim = Type.Object(
  {
    claim: Text("The name of a claim, or a path of names separated by dots."),
    list: Type.Optional(
      Type.Boolean({
        description: "Whether a single value becomes a list with one entry. Absent: `false`.",
      }),
    ),
  },
  closed,
);
const Claims = Type.Object(
  {
    external_id: Type.Optional(
      Text("The claim with the `externalId` that SCIM gave the user. Absent: `sub`."),
    ),
    role: mappingTo(
      Type.Enum([...roles], { type: "string" }),
      "The claim that sets the user's role in the organization.",
    ),
    groups: mappingTo(
      Type.String({ format: "uuid", description: "Id of a group." }),
      "The claim that puts the user into groups. Only the provider manages the members of these groups.",
    ),
    suborganization: Type.Optional(Text("The claim with the user's suborganization.")),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Union([Text(), ParameterClaim]), {
        description: "The claim of each parameter, by the name of the parameter.",
      }),
    ),
  },
  { ...closed, description: "The claims that set a user's role, groups and parameters." },
);
/** The config of an ssoconfig of type openid. */
const OpenidConfig = Type.Object(
  {
    issuer: Type.String({
      maxLength: textLength,
      description: "The https URL of the provider, without the path to its configuration.",
    }),
    client_id: Text("The id of this host at the provider."),
    client_secret: Type.Optional(
      Text("The secret of this host at the provider. Absent for a public client."),
    ),
    scopes: Type.Optional(
      Type.Array(Text(), {
        maxItems: 50,
        description:
          "The scopes to request. They must contain `openid`. Absent: `openid email profile`.",
      }),
    ),
    create_users: Type.Optional(
      Type.Boolean({
        description:
          "Whether the host creates a user for a person who does not have one yet. Absent: `true`.",
      }),
    ),
    link_by_email: Type.Optional(
      Type.Boolean({
        description:
          "Whether a person without a user is linked to the only user with the same verified e-mail address. Absent: `false`.",
      }),
    ),
    session_hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostHours,
        description: `Maximum duration of a session in hours, from 1 to ${mostHours}. Absent: ${usualHours}.`,
      }),
    ),
    scim_token: Type.Optional(
      Type.String({
        minLength: shortestSecret,
        maxLength: textLength,
        description:
          "The bearer token with which the provider manages users and groups through SCIM. At least 32 characters.",
      }),
    ),
    claims: Type.Optional(Claims),
  },
  { ...closed, description: "The config of an ssoconfig of type openid." },
);

const describedAs = (schema: TSchema) =>
  "description" in schema ? { description: String(schema.description) } : {};

/** The schemas of configs of providers, by the name in the API description. */
export const providerSchemas: NamedSchemas = {
  OpenidConfig,
  SsoConfig: Type.Object(
    Object.fromEntries(
      Object.entries(OpenidConfig.properties).map(([member, schema]) => [
        member,
        Type.Optional(Type.Union([schema, Type.Null()], describedAs(schema))),
      ]),
    ),
    {
      additionalProperties: true,
      description:
        "The config of an ssoconfig. In an update, null keeps the stored value; in responses, members that are secret are null.",
    },
  ),
};

const at = (member: string) => `properties.config.${member}`;

/**
 * Parses the config of an ssoconfig of type openid.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_UNKNOWN with the path of the member
 */
export function parseProvider(config: unknown): Provider {
  const given = readObject(config, "properties.config", memberNames(OpenidConfig));
  const claims = readObject(given.claims ?? {}, at("claims"), memberNames(Claims));
  const scopes = readTexts(given.scopes ?? ["openid", "email", "profile"], at("scopes"));
  if (!scopes.includes("openid")) throw invalid(at("scopes"), "must contain openid");
  return {
    issuer: readIssuer(given.issuer),
    clientId: readText(given.client_id, at("client_id")),
    clientSecret:
      given.client_secret === undefined
        ? undefined
        : readText(given.client_secret, at("client_secret")),
    scopes,
    makesUsers: readFlag(given, "create_users", true),
    linksByEmail: readFlag(given, "link_by_email", false),
    scimToken: given.scim_token === undefined ? undefined : readSecret(given.scim_token),
    externalId: readText(claims.external_id ?? "sub", at("claims.external_id")),
    sessionHours: readHours(given.session_hours),
    role: readMapping(claims.role, at("claims.role"), readRole),
    groups: readMapping(claims.groups, at("claims.groups"), readGroup),
    suborganization:
      claims.suborganization === undefined
        ? undefined
        : readText(claims.suborganization, at("claims.suborganization")),
    parameters: readParameters(claims.parameters ?? {}),
  };
}

/**
 * Checks the config that a call sends for an ssoconfig. Configs of types other than openid are stored unchecked and
 * unchanged.
 */
export function checkProvider(type: unknown, config: unknown): void {
  if (type === "openid") parseProvider(config);
}

function readText(value: unknown, path: string): string {
  if (typeof value !== "string" || value === "" || value.length > textLength)
    throw invalid(path, `must be a string of 1 to ${textLength} characters`);
  return value;
}

/** Reads the SCIM token. The token must be hard to guess, because the provider uses it for years. */
function readSecret(value: unknown): string {
  const text = readText(value, at("scim_token"));
  if (text.length >= shortestSecret) return text;
  throw invalid(at("scim_token"), `must have at least ${shortestSecret} characters`);
}

function readTexts(value: unknown, path: string): readonly string[] {
  const entries = readEntries(value, path, 50);
  return entries.map((each, index) => readText(each, `${path}[${index}]`));
}

function readFlag(given: Members, member: string, fallback: boolean): boolean {
  const value = given[member] ?? fallback;
  if (typeof value !== "boolean") throw invalid(at(member), "must be true or false");
  return value;
}

function readHours(value: unknown): number {
  if (value === undefined) return usualHours;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= mostHours)
    return value;
  throw invalid(at("session_hours"), `must be a whole number from 1 to ${mostHours}`);
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether an issuer is on this machine, where http is as secure as https. */
export function isLoopback(issuer: string): boolean {
  const url = new URL(issuer);
  return url.protocol === "http:" && loopback.test(url.hostname);
}

function readIssuer(value: unknown): string {
  const text = readText(value, at("issuer"));
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (isPlain && (url.protocol === "https:" || isLoopback(text))) return text;
  throw invalid(
    at("issuer"),
    "must be the https URL of the provider, without user, query or fragment; http is allowed only for loopback addresses",
  );
}

function readMapping<Meaning>(
  given: unknown,
  path: string,
  read: (value: unknown, path: string) => Meaning,
): Mapping<Meaning> | undefined {
  if (given === undefined) return undefined;
  const { claim, values } = readObject(given, path, ["claim", "values"]);
  const entries = Object.entries(readObject(values, `${path}.values`));
  if (entries.length > mostValues)
    throw invalid(`${path}.values`, `must have at most ${mostValues} values`);
  return {
    claim: readText(claim, `${path}.claim`),
    values: new Map(
      entries.map(([name, value]) => [name, read(value, `${path}.values.${name.slice(0, 100)}`)]),
    ),
  };
}

function readRole(value: unknown, path: string): SignOnRole {
  const role = roles.find((each) => each === value);
  if (!role) throw invalid(path, `must be one of ${roles.join(", ")}`);
  return role;
}

function readGroup(value: unknown, path: string): string {
  if (!isUuid(value)) throw invalid(path, "must be the id (a UUID) of a group");
  return value.toLowerCase();
}

function readParameters(given: unknown): ReadonlyMap<string, ParameterClaim> {
  const path = at("claims.parameters");
  const entries = Object.entries(readObject(given, path));
  // Parameter names must follow the rules for parameter overrides.
  parseParameters(Object.fromEntries(entries.map(([name]) => [name, ""])), path);
  return new Map(
    entries.map(([name, value]) => [name, readParameter(value, `${path}.${name.slice(0, 100)}`)]),
  );
}

function readParameter(value: unknown, path: string): ParameterClaim {
  if (typeof value === "string") return { claim: readText(value, path), isList: false };
  const { claim, list = false } = readObject(value, path, memberNames(ParameterClaim));
  if (typeof list !== "boolean") throw invalid(`${path}.list`, "must be true or false");
  return { claim: readText(claim, `${path}.claim`), isList: list };
}
