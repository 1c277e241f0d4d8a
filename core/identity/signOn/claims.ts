import { ApiError, isObject, type Members } from "../../base/index.ts";
import {
  roles,
  type Mapping,
  type ParameterClaim,
  type Provider,
  type SignOnRole,
} from "./provider.ts";

export type Claims = Readonly<Record<string, unknown>>;

/** A person as a provider describes it. */
export interface Person {
  readonly subject: string;
  /** As the provider names the person where it keeps users. */
  readonly externalId: string | undefined;
  readonly name: string | undefined;
  readonly email: string | undefined;
  /** The provider says that the e-mail address is the person's. */
  readonly hasVerifiedEmail: boolean;
  /** Undefined where the provider does not decide it; the same for the two below. */
  readonly role: SignOnRole | undefined;
  readonly groups: ReadonlySet<string> | undefined;
  readonly suborganization: string | undefined;
  /** Values by parameter. A parameter whose claim is missing has an empty list, which lets no row pass. */
  readonly parameters: ReadonlyMap<string, unknown>;
}

/** Returns a claim by its name, else by the path that its dots make; undefined when there is none. */
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

/** The claims that a provider's mapping reads, beside those of every person. */
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
 * Reads what claims say of a person, by the mapping of the provider. A claim that is missing gives no right: the role
 * of a member, no group, no rows. @throws {ApiError} SIGN_ON_REFUSED for a value of another kind, and without a
 * suborganization where one is mapped
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

/** A text of at most 200 characters; undefined for a claim that is missing, empty or no text. */
function textAt(claims: Claims, claim: string): string | undefined {
  const value = claimAt(claims, claim);
  if (typeof value !== "string" || value === "") return undefined;
  return storable(claim, value).slice(0, 200).toWellFormed();
}

/** A text that is no e-mail address is none. */
function emailOf(claims: Claims): string | undefined {
  const text = textAt(claims, "email");
  return text !== undefined && /^[^\s@]+@[^\s@]+$/.test(text) ? text : undefined;
}

/** Refuses what PostgreSQL cannot hold, as bodies of calls are. */
function storable<Value>(claim: string, value: Value): Value {
  for (const each of [value].flat())
    if (typeof each === "string" && (each.includes("\u0000") || !each.isWellFormed()))
      throw refuse(
        claim,
        "holds a character that cannot be stored (NUL, half of a surrogate pair)",
      );
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
    `the provider's claim ${claim} ${problem}; ask who runs the provider`,
  ]);
}

function readSuborganization(claims: Claims, claim: string): string {
  const text = textAt(claims, claim);
  if (text === undefined) throw refuse(claim, "must be a text, which is your suborganization");
  return text;
}

const isScalar = (value: unknown) => typeof value === "string" || typeof value === "number";

function readParameter(claims: Claims, { claim, isList }: ParameterClaim): unknown {
  const value = claimAt(claims, claim);
  if (value === undefined) return [];
  if (isScalar(value)) return storable(claim, isList ? [value] : value);
  if (Array.isArray(value) && value.every(isScalar)) return storable(claim, value);
  throw refuse(claim, "must be a text, a number or a list of these");
}
