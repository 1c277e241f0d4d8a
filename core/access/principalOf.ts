import type {
  AuthorizationType,
  OwnOverrides,
  Principal,
  Restriction,
  Right,
  ResourceRow,
} from "../contracts/index.ts";
import { isRestricted } from "./permits.ts";
import { parseAccess } from "./tokens/access.ts";
import { parseAccountOverrides } from "./tokens/accountOverrides.ts";
import { storedRowFilters } from "./tokens/filters.ts";
import { parseHiddenColumns } from "./tokens/hiddenColumns.ts";
import { parseParameters, withMetadata } from "./tokens/parameters.ts";

/** Columns of a user that a principal carries. */
export interface UserColumns {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
  readonly suborganization: string | null;
}
/** What a user is in its organization. */
export interface Standing {
  readonly organization_id: string;
  readonly flagEditor?: boolean;
  readonly flagOwn: boolean;
}

/** Who stands behind a key: its user, and for a browser's token its maker. */
export interface People {
  readonly user: UserColumns;
  readonly standing: Standing;
  /** Who set what holds for the user. */
  readonly setter: UserColumns | null;
  readonly setterStanding: Standing | null;
  /** What was set, undefined for nothing. */
  readonly own: Omit<OwnOverrides, "maker"> | undefined;
  /** What was set for the maker. */
  readonly makerOwn: Omit<OwnOverrides, "maker"> | undefined;
  readonly maker: UserColumns | null;
  readonly makerStanding: Standing | null;
}

/** A user as the principal of a kind of token, without the bounds of one. */
export function personOf(
  authorizationId: string,
  authorizationType: AuthorizationType,
  user: UserColumns,
  standing: Standing,
): Principal {
  return {
    authorizationId,
    authorizationType,
    userId: user.id,
    organizationId: standing.organization_id,
    organizationRole: standing.flagOwn ? "owner" : standing.flagEditor ? "editor" : "member",
    suborganization: user.suborganization,
    name: user.name ?? "",
    email: user.email,
  };
}

/** Makes the principal of a stored authorization. What a token of a browser is narrowed to was checked when it was made. */
export function principalOf(row: ResourceRow<"authorization">, people: People): Principal {
  const { user, standing } = people;
  const type = row.type as AuthorizationType;
  const own = ownOf(row.id, people);
  const person = { ...personOf(row.id, type, user, standing), ...(own && { own }) };
  if (!isRestricted(type)) return person;
  return {
    ...person,
    // Whatever its user is in the organization: a token of a browser is no more than a member.
    organizationRole: "member",
    restriction: restrictionOf(row, makerOf(row.id, people), people.own),
  };
}

/** The maker of a token, with what fills the filters that the maker is under. */
export function makerOf(
  authorizationId: string,
  { maker, makerStanding, makerOwn }: Pick<People, "maker" | "makerStanding" | "makerOwn">,
): Principal {
  if (!maker || !makerStanding) throw new TypeError(`the token ${authorizationId} has no maker`);
  const person = personOf(authorizationId, "api", maker, makerStanding);
  return makerOwn ? { ...person, own: { ...filled(makerOwn), maker: undefined } } : person;
}

function ownOf(
  authorizationId: string,
  { own, setter, setterStanding, standing }: People,
): OwnOverrides | undefined {
  if (!own) return undefined;
  const isStill =
    setterStanding?.flagOwn === true && setterStanding.organization_id === standing.organization_id;
  const maker =
    setter && isStill ? personOf(authorizationId, "api", setter, setterStanding) : undefined;
  return { ...filled(own), maker };
}

/** What a user is set to, with the parameters that its metadata fill. */
function filled(own: Omit<OwnOverrides, "maker">): Omit<OwnOverrides, "maker"> {
  return { ...own, parameters: withMetadata(own.parameters, own.metadata) };
}

/** By rising precedence: metadata of the user, of the token; overrides of the user, of the token. */
function parametersOf(
  row: ResourceRow<"authorization">,
  own: Omit<OwnOverrides, "maker"> | undefined,
): Restriction["parameters"] {
  const overrides = new Map([
    ...(own?.parameters ?? []),
    ...parseParameters(row.parameter_overrides),
  ]);
  const ofToken = withMetadata(overrides, row.metadata as Restriction["metadata"] | null);
  return withMetadata(ofToken, own?.metadata);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

function restrictionOf(
  row: ResourceRow<"authorization">,
  maker: Principal,
  own: Omit<OwnOverrides, "maker"> | undefined,
): Restriction {
  const { collections, dashboards, datasets } = parseAccess(row.access);
  const listed = (row.securables as readonly string[] | null) ?? [];
  const read = listed.map((id): [string, Right] => [id.toLowerCase(), "read"]);
  const { role, integration_id, environment, metadata } = row;
  const told = metadata as Restriction["metadata"] | null;
  return {
    maker,
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
    metadata: metadata || own?.metadata ? { ...own?.metadata, ...told } : undefined,
  };
}
