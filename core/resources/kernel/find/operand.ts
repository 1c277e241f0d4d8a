import type { Knex } from "knex";
import { arrayBinding } from "../../../catalog/index.ts";
import type { Storage } from "../field.ts";
import { isUuid, kindOf } from "../../../base/index.ts";
import { millisecondsOf } from "../../../../plugins/protocol/index.ts";
import { isStorable } from "../isStorable.ts";
import { spend } from "./spend.ts";
import {
  invalidMember,
  isUnsearchable,
  limitedOf,
  searchable,
  unknownMember,
  type Scope,
} from "./scope.ts";

/** The left side of a comparison. */
export interface Operand {
  /** SQL for the value. Its type is `storage`. */
  readonly sql: Knex.Raw;
  readonly storage: Exclude<Storage, "jsonb" | "bytea">;
  /** For a path into JSON: SQL for the value as a number; the SQL yields null if the value is not a number. */
  readonly asNumber?: Knex.Raw;
  /**
   * For a whole JSON object: returns SQL that is true if any of its values passes `test`, in which `sql` stands for the
   * value.
   */
  readonly anyOf?: (test: Knex.Raw) => Knex.Raw;
  /** SQL that is null if the operand has no value. */
  readonly whole: Knex.Raw;
}

/** Finds the operand that a `where` or `order` names: a field, or a path into a field (`name.en`). */
export function operandOf(scope: Scope, member: string, path: string): Operand {
  const { knex, alias, declaration } = scope;
  spend(scope, "conditions", path);
  const fields = searchable(declaration);
  const [name = "", ...segments] = member.split(".");
  const field = fields.get(name);
  if (!field || isUnsearchable(field, scope) || (segments.length > 0 && field.storage !== "jsonb"))
    throw unknownMember(path, [...fields.keys()]);
  if (!isStorable(member)) throw invalidMember(path, "must not contain NUL or unpaired surrogates");
  const { storage } = field;
  const stored = knex.raw("??", [`${alias}.${name}`]);
  const limited = field.withheld ? limitedOf(scope) : undefined;
  const whole = limited ? knex.raw("case when ? then null else ? end", [limited, stored]) : stored;
  if (segments.length > 0) {
    const path = arrayBinding(segments);
    const value = knex.raw("? #>> ?::text[]", [whole, path]);
    const asNumber = knex.raw(
      "case jsonb_typeof(? #> ?::text[]) when 'number' then (? #>> ?::text[])::double precision end",
      [whole, path, whole, path],
    );
    return { sql: value, storage: "text", whole: value, asNumber };
  }
  if (storage !== "jsonb")
    return { sql: whole, storage: storage === "bytea" ? "text" : storage, whole };
  const anyOf = (test: Knex.Raw) =>
    knex.raw(
      "exists (select 1 from jsonb_each_text(case jsonb_typeof(?) when 'object' then ? else jsonb_build_object('', ?) end) as part(key, value) where ?)",
      [whole, whole, whole, test],
    );
  return { sql: knex.raw("part.value"), storage: "text", whole, anyOf };
}

const expected: { readonly [Each in Operand["storage"]]: string } = {
  uuid: "a UUID as a string",
  text: "a string",
  boolean: "true or false",
  "double precision": "a number",
  "timestamp with time zone": "an instant as an ISO 8601 string",
};

/**
 * Returns the value to bind in a comparison; undefined if nothing can equal the value, such as a string that is not a
 * UUID.
 * @throws {ApiError} MEMBER_INVALID if the value and the member are of different kinds
 */
export function bindValue(
  operand: Operand,
  value: unknown,
  path: string,
): string | number | boolean | Date | undefined {
  const { storage } = operand;
  const wrong = () => invalidMember(path, `must be ${expected[storage]}, not ${kindOf(value)}`);
  if (!isStorable(value))
    throw invalidMember(path, "must not contain NUL, unpaired surrogates or infinite numbers");
  switch (storage) {
    case "uuid":
      if (typeof value !== "string") throw wrong();
      return isUuid(value) ? value : undefined;
    case "text":
      if (typeof value === "string") return value;
      if (typeof value === "number" || typeof value === "boolean") return String(value);
      throw wrong();
    case "boolean":
      if (typeof value !== "boolean") throw wrong();
      return value;
    case "double precision":
      if (typeof value !== "number") throw wrong();
      return value;
    case "timestamp with time zone": {
      const instant =
        typeof value === "string" && /^\d{4}-/.test(value) ? millisecondsOf(value) : undefined;
      if (instant === undefined)
        throw typeof value === "string"
          ? invalidMember(path, "must be an instant that exists, such as 2030-01-31T12:00:00.000Z")
          : wrong();
      return new Date(instant);
    }
  }
}
