import { PluginError } from "./errors.ts";

/**
 * Reads which filters of a query a plugin says that it applied: distinct indexes into `query.filters`. `member` is its
 * name in messages.
 * @throws {PluginError} PLUGIN_BAD_ANSWER that names the entry
 */
export function parseApplied(
  value: unknown,
  filterCount: number,
  member: string,
): readonly number[] {
  if (!Array.isArray(value)) throw wrong(`${member} is not an array`);
  const seen = new Set<number>();
  return value.map((entry: unknown, place) => {
    const at = `${member}[${place}]`;
    if (typeof entry !== "number" || !Number.isSafeInteger(entry))
      throw wrong(`${at} is not a whole number; it must be the index of a filter of the query`);
    if (entry < 0 || entry >= filterCount)
      throw wrong(`${at} is ${entry}, but the query has ${filterCount} filters, from 0`);
    if (seen.has(entry)) throw wrong(`${at} repeats ${entry}; name each filter once`);
    seen.add(entry);
    return entry;
  });
}

function wrong(detail: string): PluginError {
  return new PluginError("PLUGIN_BAD_ANSWER", [detail]);
}
