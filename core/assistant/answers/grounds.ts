import { isList, isObject } from "../../json/index.ts";
import type { KnownDataset } from "../meaning/readDatasets.ts";

/** Names of datasets, columns and formulas: digits in them are no numbers. */
export function namesOf(datasets: readonly KnownDataset[]): readonly string[] {
  return datasets.flatMap(({ name, names, columns, formulas }) => [
    name,
    ...textsOf(names),
    ...[...columns, ...formulas].flatMap((each) => [each.name, ...textsOf(each.names)]),
  ]);
}

function textsOf(names: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(names).filter((each) => typeof each === "string");
}

/** ISO dates in the filters of a query: the period that it is about. */
export function datesOf(query: Readonly<Record<string, unknown>>): readonly string[] {
  const found: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string" && /^\d{4}-\d\d-\d\d(?:T|$)/.test(value)) found.push(value);
    else if (isList(value)) for (const each of value) collect(each);
    else if (isObject(value)) collect([value["parameters"], value["and"], value["or"]]);
  };
  collect(query["where"]);
  return found;
}
