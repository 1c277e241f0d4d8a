import type { Knex } from "knex";
import type { Cipher } from "../../../catalog/index.ts";
import { besideColumn, openMembers, presentValue } from "../rowForm.ts";
import type { Attributes } from "./attributes.ts";
import type { Include } from "./include.ts";
import type { Lanes } from "./lanes.ts";
import { isWithheld, limitedOf, selectable, type Scope } from "./scope.ts";

/** The context in which the includes of a level are fetched. */
export interface Level {
  readonly includes: readonly Include[];
  readonly cipher: Cipher;
  readonly lanes: Lanes;
}

const limitedColumn = "found_limited";

/**
 * Returns the columns that a level reads: the columns that it may show, and the foreign keys that its includes need.
 */
export function columnsOf(
  scope: Scope,
  { attributes, requested }: Attributes,
  includes: readonly Include[],
): (string | Knex.Raw)[] {
  const { knex, alias, declaration, principal } = scope;
  const shown = [...selectable(scope.declaration)]
    .filter(
      ([name, field]) =>
        attributes.includes(name) && (!field.onRequest || requested.includes(name)),
    )
    .map(([name]) => name);
  const keys = includes.flatMap((include) =>
    include.association.kind === "one" ? [include.association.key] : [],
  );
  const isWithholding = shown.some((name) => declaration.fields[name]?.withheld);
  const limited = isWithholding ? limitedOf(scope) : undefined;
  const columns = [...new Set([...shown, ...keys])].map((name) => {
    const instead = declaration.fields[name]?.instead?.(knex, alias, principal);
    return instead ? knex.raw("? as ??", [instead, name]) : `${alias}.${name}`;
  });
  const besides = shown.flatMap((name) => {
    const beside = declaration.fields[name]?.showBeside?.(knex, alias);
    return beside ? [knex.raw("? as ??", [beside, besideColumn(name)])] : [];
  });
  const more = limited ? [knex.raw("? as ??", [limited, limitedColumn])] : [];
  return [...columns, ...besides, ...more];
}

/** Returns the wire form of a level's rows, without the included records. */
export function presentLevel(
  { scope, attributes }: { readonly scope: Scope; readonly attributes: readonly string[] },
  rows: readonly Record<string, unknown>[],
  cipher: Cipher,
): Record<string, unknown>[] {
  const { declaration, principal } = scope;
  const shown = [...selectable(declaration)].filter(([name]) => attributes.includes(name));
  const { computed } = declaration;
  const isComputed = computed?.from.every((name) => attributes.includes(name)) === true;
  const isClosed = shown.some(([, field]) => isWithheld(field, principal));
  return rows.map((row) => {
    const values = openMembers(declaration, row, cipher);
    const isLimited = isClosed || row[limitedColumn] === true;
    const record: Record<string, unknown> = {};
    // A member that was not read, or that is withheld, is shown as null.
    for (const [name, field] of shown)
      record[name] =
        isLimited && field.withheld
          ? null
          : presentValue(field, values[name], row[besideColumn(name)]);
    return isComputed ? { ...record, ...computed?.of(record) } : record;
  });
}
