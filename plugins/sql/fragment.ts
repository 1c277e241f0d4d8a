import type { DataType } from "../protocol/index.ts";

/**
 * A value that is bound to a statement and never becomes part of its text. A list is bound as a single parameter if the
 * dialect supports this.
 */
export type Bound =
  | { readonly kind: "cell"; readonly type: DataType; readonly value: string | number | null }
  | {
      readonly kind: "list";
      readonly type: DataType;
      readonly values: readonly (string | number)[];
    };

/** A piece of SQL. It consists of text written in this project, quoted identifiers and bound values. */
export interface Fragment {
  readonly parts: readonly (string | Bound)[];
}

/**
 * Creates a fragment: `` sql`${column} = ${cell("numeric", 1)}` ``. It accepts only fragments and bound values, so that
 * no value can become text.
 */
export function sql(
  strings: TemplateStringsArray,
  ...inserted: readonly (Fragment | Bound)[]
): Fragment {
  const parts = strings.flatMap((text, index): (string | Bound)[] => {
    const next = inserted[index];
    if (next === undefined) return [text];
    return "parts" in next ? [text, ...next.parts] : [text, next];
  });
  return { parts };
}

/** Binds one value of a logical type. A datetime is milliseconds since 1970-01-01T00:00:00Z. */
export function cell(type: DataType, value: string | number | null): Bound {
  return { kind: "cell", type, value };
}

/** Binds a list of values of a logical type, without nulls. */
export function list(type: DataType, values: readonly (string | number)[]): Bound {
  return { kind: "list", type, values };
}

/** Joins fragments with a separator, such as `, ` or ` and `. */
export function join(fragments: readonly Fragment[], separator: string): Fragment {
  return {
    parts: fragments.flatMap(({ parts }, index) => (index === 0 ? parts : [separator, ...parts])),
  };
}

/**
 * Creates a fragment from text that the caller wrote itself: keywords, function names, and the result of
 * `Dialect.quote`. Never pass values or names that come from users.
 */
export function trusted(text: string): Fragment {
  return { parts: [text] };
}
