import type { Knex } from "knex";
import {
  ApiError,
  asMap,
  isObject,
  kindOf,
  type Principal,
  type Members,
} from "../../../base/index.ts";
import type { Declaration } from "../declaration.ts";
import type { Field } from "../field.ts";
import { shorten } from "../shorten.ts";
import type { Budget } from "./budget.ts";
import { wireFields } from "../rowForm.ts";

/** The context in which a level of a find is compiled. */
export interface Scope {
  readonly knex: Knex;
  readonly principal: Principal;
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly declaration: Declaration;
  /** The alias of the level's table in the statement. */
  readonly alias: string;
  /** The path of the level in the request, for messages: `find.include[0]`. */
  readonly path: string;
  /** The budget, shared by all levels. */
  readonly budget: Budget;
  /** Called with the name of each requested attribute that does not exist. */
  readonly note?: ((attribute: string) => void) | undefined;
}

export function unknownMember(path: string, known: readonly string[]): ApiError {
  return new ApiError("MEMBER_UNKNOWN", [shorten(path), known.join(", ")]);
}

export function invalidMember(path: string, problem: string): ApiError {
  const named = shorten(path);
  return new ApiError("MEMBER_INVALID", [named, problem], { validation: { [named]: [problem] } });
}

/**
 * Returns an object without its null members.
 * @throws {ApiError} MEMBER_INVALID if the value is not an object, MEMBER_UNKNOWN for a member that is not in `known`
 */
export function expectObject(given: unknown, path: string, known: readonly string[]): Members {
  const value = asMap(given);
  if (!isObject(value)) throw invalidMember(path, `must be an object, not ${kindOf(value)}`);
  for (const member of Object.keys(value))
    if (!known.includes(member)) throw unknownMember(`${path}.${member}`, known);
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}

/** Returns whether a member is withheld from the caller in every record, regardless of row filters. */
export function isWithheld(field: Field, { restriction }: Principal): boolean {
  return field.withheld === true && restriction !== undefined;
}

/** Returns whether this caller can neither search nor order by a member, although other callers can. */
export function isUnsearchable(field: Field, { knex, alias, principal }: Scope): boolean {
  return isWithheld(field, principal) || field.instead?.(knex, alias, principal) !== undefined;
}

/** Returns SQL that is true if row filters apply to the caller; undefined if this is known without a lookup. */
export function limitedOf({ knex, alias, declaration, principal }: Scope): Knex.Raw | undefined {
  return principal.restriction ? undefined : declaration.isLimited?.(knex, alias, principal);
}

/** Returns the members that a caller may select. */
export function selectable(declaration: Declaration): Map<string, Field> {
  return new Map(wireFields(declaration));
}

/** Returns the members by which a caller may search and order. */
export function searchable(declaration: Declaration): Map<string, Field> {
  return new Map(wireFields(declaration).filter(([, field]) => !field.sealed));
}
