import type {
  AuthorizationType,
  OwnOverrides,
  Principal,
  Restriction,
  Right,
  ResourceRow,
} from "../../base/index.ts";
import { parseFeatures } from "./features/parseFeatures.ts";
import { isRestricted } from "./permits.ts";
import { parseTokenReach } from "./tokens/tokenReach.ts";
import { parseAccountOverrides } from "./tokens/accountOverrides.ts";
import { storedRowFilters } from "./tokens/filters.ts";
import { parseHiddenColumns } from "./tokens/hiddenColumns.ts";
import { parseParameters, withMetadata } from "./tokens/parameters.ts";

/** Columns of a user that a principal contains. */
export interface UserColumns {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
  readonly suborganization: string | null;
  readonly feature_overrides?: unknown;
}
/** A user's membership of its organization, with the flags of its role. */
export interface Standing {
  readonly organization_id: string;
  readonly flagEditor?: boolean;
  readonly flagOwn: boolean;
}

/** The users of a key: its own user, and the issuer of an embed token. */
export interface People {
  readonly user: UserColumns;
  readonly standing: Standing;
  /** The owner who set the overrides of the token's user. */
  readonly setter: UserColumns | null;
  readonly setterStanding: Standing | null;
  /** The overrides that an owner set for the token's user; undefined if there are none. */
  readonly own: Omit<OwnOverrides, "issuer"> | undefined;
  /** The overrides that an owner set for the issuer; undefined if there are none. */
  readonly issuerOwn: Omit<OwnOverrides, "issuer"> | undefined;
  readonly issuer: UserColumns | null;
  readonly issuerStanding: Standing | null;
}

/** Returns a user as the principal of a token of the given type, without a restriction. */
export function personOf(
  authorizationId: string,
  authorizationType: AuthorizationType,
  user: UserColumns,
  standing: Standing,
): Principal {
  const { removed } = parseFeatures(user.feature_overrides);
  return {
    authorizationId,
    authorizationType,
    userId: user.id,
    organizationId: standing.organization_id,
    organizationRole: standing.flagOwn ? "owner" : standing.flagEditor ? "editor" : "member",
    suborganization: user.suborganization,
    name: user.name ?? "",
    email: user.email,
    ...(removed.size > 0 && {
      removedFeatures: new Map([...removed].map((feature) => [feature, "user"] as const)),
    }),
  };
}

/**
 * Returns the principal of a stored authorization. The restriction of an embed token was checked when the token was
 * issued.
 */
export function principalOf(row: ResourceRow<"authorization">, people: People): Principal {
  const { user, standing } = people;
  const { type } = row;
  const own = ownOf(row.id, people);
  const person = { ...personOf(row.id, type, user, standing), ...(own && { own }) };
  if (!isRestricted(type)) return { ...person, ...featuresOf(row, person) };
  const issuer = issuerOf(row.id, people);
  return {
    ...person,
    // An embed token has the role member, even if its user has a higher role in the organization.
    organizationRole: "member",
    restriction: restrictionOf(row, issuer, people.own),
    ...featuresOf(row, person, issuer),
  };
}

/**
 * Returns the features of a token. It lacks the features that its own list removes, and those that its user or issuer
 * lacks.
 */
function featuresOf(
  row: ResourceRow<"authorization">,
  user: Principal,
  issuer?: Principal,
): Pick<Principal, "features" | "removedFeatures"> {
  const { added, removed } = parseFeatures(row.feature_overrides);
  const ofIssuer = [...(issuer?.removedFeatures?.keys() ?? [])].map(
    (feature) => [feature, "issuer"] as const,
  );
  const removedFeatures = new Map([
    ...ofIssuer,
    ...(user.removedFeatures ?? []),
    ...[...removed].map((feature) => [feature, "token"] as const),
  ]);
  const features = new Set([...added].filter((feature) => !removedFeatures.has(feature)));
  return {
    ...(features.size > 0 && { features }),
    ...(removedFeatures.size > 0 && { removedFeatures }),
  };
}

/** Returns the issuer of a token, with the parameters for the filters that apply to the issuer. */
export function issuerOf(
  authorizationId: string,
  { issuer, issuerStanding, issuerOwn }: Pick<People, "issuer" | "issuerStanding" | "issuerOwn">,
): Principal {
  if (!issuer || !issuerStanding)
    throw new TypeError(`the token ${authorizationId} must have an issuer`);
  const person = personOf(authorizationId, "api", issuer, issuerStanding);
  return issuerOwn ? { ...person, own: { ...filled(issuerOwn), issuer: undefined } } : person;
}

/** Returns the overrides of a user, and the owner who set them if that user is still an owner. */
export function ownOf(
  authorizationId: string,
  {
    own,
    setter,
    setterStanding,
    standing,
  }: Pick<People, "own" | "setter" | "setterStanding" | "standing">,
): OwnOverrides | undefined {
  if (!own) return undefined;
  const isStill =
    setterStanding?.flagOwn === true && setterStanding.organization_id === standing.organization_id;
  const issuer =
    setter && isStill ? personOf(authorizationId, "api", setter, setterStanding) : undefined;
  return { ...filled(own), issuer };
}

/** Returns overrides in which the user's metadata sets the parameters that have no override. */
function filled(own: Omit<OwnOverrides, "issuer">): Omit<OwnOverrides, "issuer"> {
  return { ...own, parameters: withMetadata(own.parameters, own.metadata) };
}

/**
 * Combines parameters, in ascending precedence: metadata of the user, metadata of the token, overrides of the user,
 * overrides of the token.
 */
function parametersOf(
  row: ResourceRow<"authorization">,
  own: Omit<OwnOverrides, "issuer"> | undefined,
): Restriction["parameters"] {
  const overrides = new Map([
    ...(own?.parameters ?? []),
    ...parseParameters(row.parameter_overrides),
  ]);
  const ofToken = withMetadata(overrides, row.metadata);
  return withMetadata(ofToken, own?.metadata);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

function restrictionOf(
  row: ResourceRow<"authorization">,
  issuer: Principal,
  own: Omit<OwnOverrides, "issuer"> | undefined,
): Restriction {
  const { collections, dashboards, datasets } = parseTokenReach(row.access);
  const listed = row.securables ?? [];
  const read = listed.map((id): [string, Right] => [id.toLowerCase(), "read"]);
  const { role, integration_id, environment, metadata } = row;
  return {
    issuer,
    role: role as Restriction["role"],
    securables: new Map([...read, ...dashboards, ...datasets]),
    collections,
    integrationId: typeof integration_id === "string" ? integration_id : undefined,
    filters: storedRowFilters(row.filters),
    parameters: parametersOf(row, own),
    hiddenColumns: parseHiddenColumns(row.hidden_columns),
    accountOverrides: parseAccountOverrides(row.account_overrides),
    environment: typeof environment === "string" ? environment : null,
    timezoneId: textOf(row.timezone_id),
    localeId: textOf(row.locale_id),
    currencyId: textOf(row.currency_id),
    screen: textOf(row.screenmode),
    width: numberOf(row.width),
    height: numberOf(row.height),
    assistantContext: textOf(row.iq?.["context"]),
    ...((row.theme ?? row.theme_id ?? row.css) !== null && {
      look: { theme: row.theme, themeId: row.theme_id, css: row.css },
    }),
    metadata: metadata || own?.metadata ? { ...own?.metadata, ...metadata } : undefined,
  };
}
