import type { Column, Dataset } from "../../../../plugins/protocol/index.ts";
import { isList, isObject } from "../../../base/index.ts";
import { legacyDatasets } from "./legacyDatasets.ts";

/**
 * Parses the answer of /datasets of `manifold-1`, which has the members of the numbered versions and the narrowings of
 * columns. `checkDatasets` checks the narrowings of all plugins.
 * @throws {PluginError} PLUGIN_BAD_ANSWER with the invalid member
 */
export function manifoldDatasets(answer: unknown): Dataset[] {
  const entries = isList(answer) ? answer : [];
  return legacyDatasets(answer).map((dataset, place) => {
    const { columns } = membersOf(entries[place]);
    const own = isList(columns) ? columns : [];
    return {
      ...dataset,
      columns: dataset.columns.map((column, index) => narrowedBy(column, own[index])),
    };
  });
}

function narrowedBy(column: Column, entry: unknown): Column {
  const { narrowed } = membersOf(entry);
  return narrowed === undefined || narrowed === null ? column : { ...column, narrowed };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
