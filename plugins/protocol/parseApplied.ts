import { PluginError } from "./errors.ts";

/**
 * Parses the list of filters that a plugin acknowledges: distinct indexes into `query.filters`. `member` is the name of
 * the list in messages.
 * @throws {PluginError} PLUGIN_BAD_ANSWER that names the first invalid entry
 */
export function parseApplied(
  value: unknown,
  filterCount: number,
  member: string,
): readonly number[] {
  if (!Array.isArray(value)) throw wrong(`${member} must be an array`);
  const seen = new Set<number>();
  return value.map((entry: unknown, place) => {
    const at = `${member}[${place}]`;
    if (typeof entry !== "number" || !Number.isSafeInteger(entry))
      throw wrong(`${at} must be the index of a filter of the query, a whole number of at least 0`);
    if (entry < 0 || entry >= filterCount)
      throw wrong(
        `${at} must be an index of the query's ${filterCount} filters, counted from 0, not ${entry}`,
      );
    if (seen.has(entry)) throw wrong(`${at} repeats ${entry}; list each filter once`);
    seen.add(entry);
    return entry;
  });
}

function wrong(detail: string): PluginError {
  return new PluginError("PLUGIN_BAD_ANSWER", [detail]);
}
