import { CorrectableError } from "../correctableError.ts";
import { remediesOf } from "../remedy.ts";
import { readRecords } from "./readCsv.ts";
import type { ValueForms } from "../readValue.ts";

const separators = [",", ";", "\t", "|"];
const mostRecords = 100;

type Cells = readonly (string | null)[];

/** How a separator divides the first records. */
interface Division {
  readonly separator: string;
  readonly records: readonly Cells[];
  /** The number of cells that most records have. */
  readonly width: number;
  /** The share of records with this number of cells. */
  readonly share: number;
}

/**
 * Detects the separator from the first records, as they are parsed with their quotes. A separator that divides every
 * record into the same number of cells, at least two, precedes a separator that divides only most of them. If several
 * characters do this, the one that yields the most cells is chosen. A decimal comma does not count as a separator. If
 * no character qualifies, the file has one column. `isWhole` tells whether `start` is the whole file.
 * @throws {PluginError} PLUGIN_UNREADABLE if two separators are equally likely
 */
export function findSeparator(
  start: string,
  isWhole: boolean,
  { decimalComma }: Pick<ValueForms, "decimalComma"> = {},
): string {
  const possible = separators.filter((separator) => !(decimalComma && separator === ","));
  const divisions = possible
    .map((separator) => divide(start, separator, isWhole))
    .filter(({ width, share }) => width > 1 && share > 0.5);
  const even = divisions.filter(({ share }) => share === 1);
  const likely = even.length > 0 ? even : divisions;
  const hasDecimalCommas = likely.some(isSplitAroundDecimals);
  const [best, second] = likely
    .filter(({ separator }) => !(hasDecimalCommas && separator === ","))
    .toSorted((one, other) => other.share - one.share || other.width - one.width);
  if (best && second && best.share === second.share && best.width === second.width)
    throw new CorrectableError(
      "PLUGIN_UNREADABLE",
      [
        `both ${JSON.stringify(best.separator)} and ${JSON.stringify(second.separator)} could separate the cells; set separator to one of them`,
      ],
      { remedies: remediesOf("separator", [best.separator, second.separator]) },
    );
  return best?.separator ?? possible[0] ?? ",";
}

function divide(start: string, separator: string, isWhole: boolean): Division {
  const { records, isDamaged } = firstRecords(start, separator, isWhole);
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [most] = [...counts].toSorted((one, other) => other[1] - one[1]);
  const share = most ? most[1] / records.length : 0;
  // A separator whose quotes enclose whole cells everywhere is more likely.
  return { separator, records, width: most?.[0] ?? 0, share: isDamaged ? share * 0.99 : share };
}

/** Parses the first records. If one of them is damaged, only the records well before it are used. */
function firstRecords(
  start: string,
  separator: string,
  isWhole: boolean,
): { readonly records: readonly Cells[]; readonly isDamaged: boolean } {
  let text = start;
  for (let isDamaged = false; ; isDamaged = true) {
    try {
      const { block } = readRecords(text, separator, 1, isWhole || isDamaged);
      // The only record of a longer text may continue.
      const { records } =
        block.records.length > 0 ? block : readRecords(text, separator, 1, true).block;
      return { records: records.slice(0, mostRecords), isDamaged };
    } catch {
      // A quote does not enclose a whole cell: at this separator, or in a damaged file.
      const end = text.lastIndexOf("\n", text.length / 2);
      if (end <= 0) return { records: [], isDamaged: true };
      text = text.slice(0, end);
    }
  }
}

const decimal = /^\s*[+-]?\d+,\d+\s*$/;

/** Returns whether all commas in the cells of another separator are decimal signs. */
function isSplitAroundDecimals({ separator, records }: Division): boolean {
  if (separator === ",") return false;
  const withCommas = records.flat().filter((cell) => cell?.includes(","));
  return withCommas.length > 0 && withCommas.every((cell) => decimal.test(cell ?? ""));
}
