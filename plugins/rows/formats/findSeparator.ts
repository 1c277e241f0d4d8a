import { PluginError } from "../../protocol/index.ts";
import { readCsv } from "./readCsv.ts";
import type { ValueForms } from "../readValue.ts";

const separators = [",", ";", "\t", "|"];
const readRecords = 100;

/**
 * Detects the separator from the first records. A separator must divide every record into the same number of cells, at
 * least two. If several characters do this, the one that yields the most cells is chosen. A decimal comma does not
 * count as a separator. If no character qualifies, the file has one column.
 * @throws {PluginError} PLUGIN_UNREADABLE if two separators are equally likely
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
      `both ${JSON.stringify(best.separator)} and ${JSON.stringify(second.separator)} could separate the cells; set separator to one of them`,
    ]);
  return best?.separator ?? possible[0] ?? ",";
}

/** Returns the number of cells in each of the first records; 0 if the numbers differ or a record cannot be read. */
async function widthOf(start: string, separator: string): Promise<number> {
  const parts = (async function* () {
    yield start;
  })();
  try {
    for await (const { records } of readCsv(parts, separator)) {
      // The last record may be truncated.
      const whole = records.slice(0, readRecords);
      const seen = whole.length > 1 ? whole.slice(0, -1) : whole;
      const width = seen[0]?.length ?? 0;
      return seen.every((record) => record.length === width) ? width : 0;
    }
  } catch {
    // The quotes do not enclose whole cells, so this is not the separator.
  }
  return 0;
}
