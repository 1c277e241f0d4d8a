import {
  isOperator,
  makesTest,
  type ColumnFilter,
  type Filter,
  PluginError,
} from "../../../../plugins/protocol/index.ts";

/** A filter in the form of the numbered versions. */
export interface LegacyFilter {
  readonly column_id: string;
  readonly expression: string;
  readonly value?: readonly unknown[];
}

/** Translated filters; `never` if no row can pass them. */
export type LegacyFilters =
  | { readonly kind: "filters"; readonly filters: readonly LegacyFilter[] }
  | { readonly kind: "never" };

/**
 * Translates filters into one list, combined by AND, in the forms that every known plugin understands. `=` and `!=`
 * become `in` and `not in`, because one plugin ignores `<>` and does not apply `=` with a list. A list that contains
 * only null becomes a null test. A `not in` whose list contains null is sent together with `is not null`.
 * @throws {PluginError} PLUGIN_NOT_OFFERED for groups, levels and operators that the versions lack
 */
export function legacyFilters(filters: readonly Filter[]): LegacyFilters {
  const translated: LegacyFilter[] = [];
  for (const filter of filters) {
    const made = translate(plain(filter));
    if (made === "never") return { kind: "never" };
    translated.push(...made);
  }
  return { kind: "filters", filters: translated };
}

function plain(filter: Filter): ColumnFilter {
  if (!("column_id" in filter)) throw notOffered("nested filters");
  if (filter.level) throw notOffered("filters on a level");
  return filter;
}

function translate(filter: ColumnFilter): readonly LegacyFilter[] | "never" {
  const { column_id, expression, value = [] } = filter;
  if (!isOperator(expression) || makesTest(expression, "part"))
    throw notOffered(`the operator ${expression}`);
  const isNullListed = value.includes(null);
  const listed = value.filter((cell) => cell !== null);
  switch (expression) {
    case "is null":
    case "is not null":
      return [{ column_id, expression }];
    case "in":
      if (value.length === 0) return "never";
      return listed.length === 0
        ? [{ column_id, expression: "is null" }]
        : [{ column_id, expression, value }];
    case "not in":
      return [
        ...(listed.length > 0 ? [{ column_id, expression, value: listed }] : []),
        ...(isNullListed ? [{ column_id, expression: "is not null" }] : []),
      ];
    case "=":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      if (value.length !== 1 || isNullListed)
        throw notOffered(`${expression} without exactly one value`);
      return [{ column_id, expression: wireForms[expression] ?? expression, value }];
  }
}

const wireForms: Readonly<Partial<Record<ColumnFilter["expression"], string>>> = {
  "=": "in",
  "!=": "not in",
};

function notOffered(what: string): PluginError {
  return new PluginError("PLUGIN_NOT_OFFERED", [what]);
}
