import type { Knex } from "knex";
import { arrayBinding } from "../../../catalog/index.ts";
import { kindOf } from "../../../base/index.ts";
import { limits } from "../limits.ts";
import { compileContains } from "./comparisons.ts";
import { operandOf } from "./operand.ts";
import { expectObject, invalidMember, searchable, unknownMember, type Scope } from "./scope.ts";

const usual = ["name", "description", "subtitle", "slug", "email", "tag"];

function texts(value: unknown, path: string): readonly string[] {
  const entries = typeof value === "string" ? [value] : value;
  if (!Array.isArray(entries) || !entries.every((entry) => typeof entry === "string"))
    throw invalidMember(path, `must be a list of strings, not ${kindOf(value)}`);
  return entries;
}

/**
 * Compiles a `search`: `keyphrase` must occur in one of the members in `match_types` (by default the names and
 * descriptions), in any of its languages, in upper or lower case. Wildcards are not supported.
 */
export function compileSearch(scope: Scope, search: unknown): Knex.Raw {
  const { knex, declaration } = scope;
  const path = `${scope.path}.search`;
  const { keyphrase, match_types, securable_types } = expectObject(search, path, [
    "keyphrase",
    "match_types",
    ...(declaration.fields["type"] ? ["securable_types"] : []),
  ]);
  const fields = [...searchable(declaration)].filter(
    ([, { storage }]) => storage === "text" || storage === "jsonb",
  );
  const known = fields.map(([name]) => name);
  const parts: Knex.Raw[] = [];
  if (securable_types !== undefined) {
    const types = texts(securable_types, `${path}.securable_types`);
    parts.push(knex.raw("?? = any(?::text[])", [`${scope.alias}.type`, arrayBinding(types)]));
  }
  if (keyphrase !== undefined) {
    if (typeof keyphrase !== "string")
      throw invalidMember(`${path}.keyphrase`, `must be a string, not ${kindOf(keyphrase)}`);
    if (keyphrase.length > limits.phraseLength)
      throw invalidMember(
        `${path}.keyphrase`,
        `must have at most ${limits.phraseLength} characters`,
      );
    const members =
      match_types === undefined
        ? usual.filter((name) => known.includes(name))
        : texts(match_types, `${path}.match_types`);
    const contains = members.map((member, index) => {
      const at = `${path}.match_types[${index}] ${member}`;
      if (!known.includes(member.split(".")[0] ?? "")) throw unknownMember(at, known);
      return compileContains(knex, operandOf(scope, member, at), keyphrase, `${path}.keyphrase`);
    });
    parts.push(
      contains.length > 0
        ? knex.raw(`(${contains.map(() => "?").join(" or ")})`, contains)
        : knex.raw("false"),
    );
  }
  return parts.length > 0 ? knex.raw(parts.map(() => "?").join(" and "), parts) : knex.raw("true");
}
