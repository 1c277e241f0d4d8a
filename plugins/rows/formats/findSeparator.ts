import { PluginError } from "../../protocol/index.ts";
import { readCsv } from "./readCsv.ts";
import type { ValueForms } from "../readValue.ts";

const separators = [",", ";", "\t", "|"];
const readRecords = 100;

/**
 * Finds the separator of a text by its first records: the one that divides all of them into the same number of cells,
 * more than one; of several the one with most cells. A decimal comma separates nothing.
 * A text that none divides has one column.
 * @throws {PluginError} PLUGIN_UNREADABLE when two separators divide it equally
 */
export async function findSeparator(
  start: string,
  { decimalComma }: Pick<ValueForms, "decimalComma"> = {},
): Promise<string> {
  const possible = separators.filter((separator) => !(decimalComma && separator === ","));
  const widths = await Promise.all(
    possible.map(async (separator) => ({ separator, width: await widthOf(start, separator) })),
  );
  const [best, second] = widths
    .filter(({ width }) => width > 1)
    .toSorted((one, other) => other.width - one.width);
  if (best && second && best.width === second.width)
    throw new PluginError("PLUGIN_UNREADABLE", [
      `both ${JSON.stringify(best.separator)} and ${JSON.stringify(second.separator)} could separate the cells; set separator`,
    ]);
  return best?.separator ?? possible[0] ?? ",";
}

/** The cells of each of the first records; 0 when they differ, or cannot be read. */
async function widthOf(start: string, separator: string): Promise<number> {
  const parts = (async function* () {
    yield start;
  })();
  try {
    for await (const { records } of readCsv(parts, separator)) {
      // The last record of a start may be cut.
      const whole = records.slice(0, readRecords);
      const seen = whole.length > 1 ? whole.slice(0, -1) : whole;
      const width = seen[0]?.length ?? 0;
      return seen.every((record) => record.length === width) ? width : 0;
    }
  } catch {
    // Quotes that fit no cells of this separator: it is another one.
  }
  return 0;
}
