import { levelOfNumber } from "../../../plugins/protocol/index.ts";
import { isObject } from "../../base/index.ts";

/** Returns the name of a query's column or formula by its id. */
export type NameOf = (id: string) => string;

const longest = 500;
const mostValues = 5;

/**
 * Describes the filters of a query in words, in at most 500 characters; empty for a query without filters. Parameters
 * appear by name, without their values.
 */
export function conditionOf(query: unknown, nameOf: NameOf): string {
  const { where, having } = isObject(query) ? query : {};
  const said = [where, having].flatMap((each) => allOf(each, nameOf)).join(" and ");
  return said.length > longest ? `${said.slice(0, longest - 1)}…` : said;
}

/** Describes a column of a query: its aggregation and its name. */
export function referenceText(reference: unknown, nameOf: NameOf): string {
  if (!isObject(reference)) return "";
  const { column_id, formula_id, expression, formula, aggregation } = reference;
  const id = column_id ?? formula_id;
  const name =
    id === "*" ? "rows" : id === undefined ? (expression ?? formula) : nameOf(String(id));
  const type = isObject<"type">(aggregation) ? aggregation.type : aggregation;
  return `${typeof type === "string" ? `${type} of ` : ""}${String(name ?? "")}`;
}

function allOf(entries: unknown, nameOf: NameOf): string[] {
  return Array.isArray(entries) ? entries.map((each) => one(each, nameOf)).filter(Boolean) : [];
}

function one(entry: unknown, nameOf: NameOf): string {
  if (Array.isArray(entry)) return allOf(entry, nameOf).join(" and ");
  if (!isObject(entry)) return "";
  for (const [member, word] of [
    ["and", " and "],
    ["or", " or "],
  ] as const)
    if (entry[member] !== undefined) return `(${allOf(entry[member], nameOf).join(word)})`;
  const { expression, parameters } = entry;
  if (typeof expression !== "string" || !Array.isArray(parameters)) return "";
  const [column, ...values] = parameters.map((each: unknown) => valueText(each, nameOf));
  if (!expression.includes("?"))
    return [column, expression.toLowerCase().replaceAll("_", " "), ...values].join(" ");
  let index = 0;
  const texts = [column, ...values];
  return expression.replaceAll("?", () => texts[index++] ?? "?");
}

function valueText(value: unknown, nameOf: NameOf): string {
  if (Array.isArray(value)) {
    const shown = value.slice(0, mostValues).map((each: unknown) => valueText(each, nameOf));
    return `(${shown.join(", ")}${value.length > mostValues ? ", …" : ""})`;
  }
  if (!isObject<"parameter">(value)) return String(value);
  if (typeof value.parameter === "string") return `the parameter ${value.parameter}`;
  const { unit, quantity } = value;
  if (unit === undefined) return referenceText(value, nameOf);
  const word = typeof unit === "number" ? (levelOfNumber(unit) ?? "") : String(unit);
  return `${String(quantity ?? 1)} ${word}`;
}
