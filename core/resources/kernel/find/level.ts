import type { Knex } from "knex";
import type { Cipher } from "../../../catalog/index.ts";
import { loadRow, presentRow } from "../rowForm.ts";
import type { Include } from "./include.ts";
import { isWithheld, selectable, type Scope } from "./scope.ts";

/** What fetching the includes of a level needs. */
export interface Level {
  readonly includes: readonly Include[];
  readonly cipher: Cipher;
}

/** The columns that a level reads: what it may show, and the keys that its includes hang on. */
export function columnsOf(
  scope: Scope,
  requested: readonly string[],
  includes: readonly Include[],
): (string | Knex.Raw)[] {
  const { knex, alias, declaration, principal } = scope;
  const shown = [...selectable(scope.declaration)]
    .filter(([name, field]) => !field.onRequest || requested.includes(name))
    .map(([name]) => name);
  const keys = includes.flatMap((include) =>
    include.association.kind === "one" ? [include.association.key] : [],
  );
  return [...new Set([...shown, ...keys])].map((name) => {
    const instead = declaration.fields[name]?.instead?.(knex, alias, principal);
    return instead ? knex.raw("? as ??", [instead, name]) : `${alias}.${name}`;
  });
}

/** The wire form of the rows of a level, without its includes. */
export function presentLevel(
  { scope, attributes }: { readonly scope: Scope; readonly attributes: readonly string[] },
  rows: readonly Record<string, unknown>[],
  cipher: Cipher,
): Record<string, unknown>[] {
  const { fields } = scope.declaration;
  const isClosed = (name: string) => {
    const field = fields[name];
    return field !== undefined && isWithheld(field, scope.principal);
  };
  return rows.map((row) => {
    const record = presentRow(scope.declaration, loadRow(scope.declaration, row, cipher));
    return Object.fromEntries(
      attributes.map((name) => [name, isClosed(name) ? null : (record[name] ?? null)]),
    );
  });
}
