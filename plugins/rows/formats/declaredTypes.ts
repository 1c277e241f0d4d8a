import type { DataType } from "../../protocol/index.ts";
import type { ValueForms } from "../readValue.ts";

/** A type that people can declare for a column. */
export interface DeclaredType {
  readonly type: DataType;
  readonly subtype?: "date" | "duration";
  /** How the values of the column are written. */
  readonly forms?: Pick<ValueForms, "format" | "reading" | "unit">;
}

/** The types that people can declare, by name. Durations are numbers of hours, and booleans are `true` or `false`. */
export const declaredTypes = {
  text: { type: "hierarchy" },
  number: { type: "numeric" },
  date: { type: "datetime", subtype: "date" },
  datetime: { type: "datetime" },
  duration: { type: "numeric", subtype: "duration", forms: { reading: "duration" } },
  boolean: { type: "hierarchy", forms: { reading: "boolean" } },
} as const satisfies Readonly<Record<string, DeclaredType>>;

export type DeclaredTypeName = keyof typeof declaredTypes;

export const declaredTypeNames: readonly DeclaredTypeName[] =
  Object.keys(declaredTypes).filter(isDeclaredTypeName);

/** Returns whether a name is the name of a type that people can declare. */
export function isDeclaredTypeName(name: unknown): name is DeclaredTypeName {
  return typeof name === "string" && Object.hasOwn(declaredTypes, name);
}
