import { ApiError, isObject, type Members } from "../../base/index.ts";
import {
  roles,
  type Mapping,
  type ParameterClaim,
  type Provider,
  type SignOnRole,
} from "./provider.ts";

export type Claims = Readonly<Record<string, unknown>>;

/** A person, as the provider's claims describe them. */
export interface Person {
  readonly subject: string;
  /** The id of the person in the provider's user management (SCIM). */
  readonly externalId: string | undefined;
  readonly name: string | undefined;
  readonly email: string | undefined;
  /** Whether the provider confirms that the e-mail address belongs to the person. */
  readonly hasVerifiedEmail: boolean;
  /**
   * The role in the organization. `role`, `groups` and `suborganization` are undefined if the provider does not decide
   * them.
   */
  readonly role: SignOnRole | undefined;
  readonly groups: ReadonlySet<string> | undefined;
  readonly suborganization: string | undefined;
  /** Values by parameter. A parameter whose claim is missing has an empty list, so that no row matches. */
  readonly parameters: ReadonlyMap<string, unknown>;
}

/**
 * Returns the claim with the given name, or else the claim to which the name leads when read as a dotted path;
 * undefined if neither exists.
 */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path] ?? undefined;
  const found = path
    .split(".")
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      claims,
    );
  return found ?? undefined;
}

/** Returns the claims that a provider's mapping reads, in addition to those that are always read. */
export function claimsOf(provider: Provider): string[] {
  const { externalId, role, groups, suborganization, parameters } = provider;
  return [
    externalId,
    role?.claim,
    groups?.claim,
    suborganization,
    ...[...parameters.values()].map(({ claim }) => claim),
  ].filter((claim) => claim !== undefined);
}

/**
 * Reads a person from claims, using the provider's mapping. Missing claims give no rights: the person gets the role
 * member, no groups and no rows.
 * @throws {ApiError} SIGN_ON_REFUSED for a claim of the wrong type, and for a missing suborganization if the mapping
 * names one
 */
export function readClaims(claims: Members<"sub" | "email_verified">, provider: Provider): Person {
  const { role, groups, suborganization, parameters } = provider;
  const given = role && meanings(claims, role);
  return {
    subject: storable("sub", String(claims.sub)),
    externalId: textAt(claims, provider.externalId),
    name: textAt(claims, "name"),
    email: emailOf(claims),
    hasVerifiedEmail: claims.email_verified === true,
    role: given && (roles.findLast((each) => given.includes(each)) ?? "member"),
    groups: groups && new Set(meanings(claims, groups)),
    suborganization:
      suborganization === undefined ? undefined : readSuborganization(claims, suborganization),
    parameters: new Map(
      [...parameters].map(([name, source]) => [name, readParameter(claims, source)]),
    ),
  };
}

/** Returns a string of at most 200 characters; undefined if the claim is missing, empty or not a string. */
function textAt(claims: Claims, claim: string): string | undefined {
  const value = claimAt(claims, claim);
  if (typeof value !== "string" || value === "") return undefined;
  return storable(claim, value).slice(0, 200).toWellFormed();
}

/** Returns the e-mail address; undefined if the claim is not an e-mail address. */
function emailOf(claims: Claims): string | undefined {
  const text = textAt(claims, "email");
  return text !== undefined && /^[^\s@]+@[^\s@]+$/.test(text) ? text : undefined;
}

/** Refuses strings that PostgreSQL cannot store, as in the bodies of calls. */
function storable<Value>(claim: string, value: Value): Value {
  for (const each of [value].flat())
    if (typeof each === "string" && (each.includes("\u0000") || !each.isWellFormed()))
      throw refuse(claim, "must not contain NUL or unpaired surrogates, which cannot be stored");
  return value;
}

function meanings<Meaning>(claims: Claims, { claim, values }: Mapping<Meaning>): Meaning[] {
  const value = claimAt(claims, claim);
  return [value]
    .flat()
    .flatMap((each) => (typeof each === "string" ? (values.get(each) ?? []) : []));
}

function refuse(claim: string, problem: string): ApiError {
  return new ApiError("SIGN_ON_REFUSED", [
    `the provider's claim ${claim} ${problem}; ask the administrator of the identity provider`,
  ]);
}

function readSuborganization(claims: Claims, claim: string): string {
  const text = textAt(claims, claim);
  if (text === undefined) throw refuse(claim, "must be a string, the name of your suborganization");
  return text;
}

const isScalar = (value: unknown) => typeof value === "string" || typeof value === "number";

function readParameter(claims: Claims, { claim, isList }: ParameterClaim): unknown {
  const value = claimAt(claims, claim);
  if (value === undefined) return [];
  if (isScalar(value)) return storable(claim, isList ? [value] : value);
  if (Array.isArray(value) && value.every(isScalar)) return storable(claim, value);
  throw refuse(claim, "must be a string, a number or a list of these");
}
