import { PluginError } from "../../protocol/index.ts";
import { checkColumnNames } from "./columnNames.ts";
import type { RowBlock } from "../rowDriver.ts";
import { splitJson } from "./splitJson.ts";
import { detectForms } from "./detectForms.ts";
import type { FileTable, OpenTables, ReadOptions } from "./fileTable.ts";
import { foundForms } from "./foundSettings.ts";
import { textOf } from "./textOf.ts";

/** Minimum size of a decoded cell in bytes. */
const cellBytes = 8;

type Members = Readonly<Record<string, unknown>>;

/** Number of objects at the start of a file from which the order of dates is detected. */
const startObjects = 1000;

/**
 * Opens a file that contains a JSON array of objects, or JSON lines. The members of the objects become columns. A
 * missing member is null. The order of dates in strings is detected from the first objects.
 */
export const openJson: OpenTables = async (options) => {
  const { known, settings } = options;
  const start =
    !known || settings.detectsDates || settings.types.size > 0 ? await startOf(options) : undefined;
  const names = known?.map(({ id }) => id) ?? start?.names ?? [];
  const detected = detectForms(
    names.map((name) => start?.strings.get(name) ?? []),
    { settings },
  ).map(({ forms: { dates, ...numbers } }, index) => ({
    // Strings are numbers only where a number is declared.
    forms: {
      ...(settings.types.get(names[index]!)?.type === "numeric" && numbers),
      ...(dates && { dates }),
    },
  }));
  const table: FileTable = {
    columns: names.map((id, index) => ({ id, ...detected[index] })),
    textsSpellNumbers: false,
    found: foundForms(detected),
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

/** What the first objects of a file contain. */
interface Start {
  /** Names of all members, in order of appearance. */
  readonly names: readonly string[];
  /** Strings of the first objects, by member. */
  readonly strings: ReadonlyMap<string, readonly string[]>;
}

/** Reads the sample. If the columns are known, reads only the objects from which the order of dates is detected. */
async function startOf(options: ReadOptions): Promise<Start> {
  const names = new Set<string>();
  const strings = new Map<string, string[]>();
  let length = 0;
  let left = startObjects;
  const parts = async function* () {
    for await (const part of textOf(options, options.signal)) {
      length += part.length;
      yield part;
    }
  };
  for await (const objects of objectsOf(parts(), options)) {
    for (const { members } of objects.slice(0, left))
      for (const [name, value] of Object.entries(members)) {
        if (typeof value !== "string") continue;
        const own = strings.get(name);
        if (own) own.push(value);
        else strings.set(name, [value]);
      }
    left = Math.max(0, left - objects.length);
    for (const { members } of objects) for (const name of Object.keys(members)) names.add(name);
    checkColumnNames(names);
    if (length > options.sampleBytes || (options.known && left === 0)) break;
  }
  // For a file without rows, the columns are those that the account declares.
  return { names: names.size > 0 ? [...names] : [...options.settings.types.keys()], strings };
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
