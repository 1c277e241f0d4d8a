import { PluginError } from "../../protocol/index.ts";
import { checkColumnNames } from "./columnNames.ts";
import type { RowBlock } from "../rowDriver.ts";
import { splitJson } from "./splitJson.ts";
import type { FileTable, OpenTables, ReadOptions } from "./fileTable.ts";
import { textOf } from "./textOf.ts";

/** Minimum size of a decoded cell in bytes. */
const cellBytes = 8;

type Members = Readonly<Record<string, unknown>>;

/**
 * Opens a file that contains a JSON array of objects, or JSON lines. The members of the objects become columns. A
 * missing member is null.
 */
export const openJson: OpenTables = async (options) => {
  const names = options.known?.map(({ id }) => id) ?? (await memberNames(options));
  const table: FileTable = {
    columns: names.map((id) => ({ id })),
    textsSpellNumbers: false,
    notes: [],
    rows: (wanted, _, until) =>
      rowsOf(
        options,
        wanted.map((index) => names[index]!),
        until,
      ),
  };
  return [table];
};

/** Returns the names of the members of all objects in the sample, in order of appearance. */
async function memberNames(options: ReadOptions): Promise<readonly string[]> {
  const names = new Set<string>();
  let length = 0;
  const parts = async function* () {
    for await (const part of textOf(options, options.signal)) {
      length += part.length;
      yield part;
    }
  };
  for await (const objects of objectsOf(parts(), options)) {
    for (const { members } of objects) for (const name of Object.keys(members)) names.add(name);
    checkColumnNames(names);
    if (length > options.sampleBytes) break;
  }
  // For a file without rows, the columns are those that the account declares.
  return names.size > 0 ? [...names] : [...options.settings.types.keys()];
}

async function* rowsOf(
  options: ReadOptions,
  wanted: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<RowBlock> {
  const missing = new Set(wanted);
  let rowCount = 0;
  for await (const objects of objectsOf(textOf(options, signal), options)) {
    if (missing.size > 0)
      for (const { members } of objects)
        for (const name of missing) if (Object.hasOwn(members, name)) missing.delete(name);
    rowCount += objects.length;
    options.budget.take(cellBytes * objects.length * wanted.length);
    yield {
      rows: objects.map(({ members }) =>
        wanted.map((name) => (Object.hasOwn(members, name) ? members[name] : null)),
      ),
      placeOf: (index) => `line ${objects[index]!.line}`,
    };
  }
  const [absent] = missing;
  if (absent !== undefined && rowCount > 0)
    throw new PluginError("PLUGIN_UNREADABLE", [
      `no row has ${JSON.stringify(absent.slice(0, 100))}; if the file changed, synchronize the dataset's metadata`,
    ]);
}

async function* objectsOf(
  parts: AsyncIterable<string>,
  { format }: ReadOptions,
): AsyncGenerator<readonly { readonly members: Members; readonly line: number }[]> {
  for await (const { values, lines } of splitJson(
    parts,
    format.kind === "json" ? "array" : "lines",
  ))
    yield values.map((value, index) => {
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return { members: value as Members, line: lines[index]! };
      throw new PluginError("PLUGIN_UNREADABLE", [
        `line ${lines[index]} must be an object with a member for each column`,
      ]);
    });
}
