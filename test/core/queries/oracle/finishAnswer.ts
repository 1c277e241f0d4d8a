import { plainLimit, type PlainBin } from "../../../support/plainBin.ts";
import type { Oracle, OracleCell } from "./openOracle.ts";
import type { ValueType } from "./values.ts";

export interface OracleAnswer {
  /** Cells in plain form: numbers, strings, instants as ISO strings, bins as labels. */
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** The possible error of each number, by row and column; 0 if the number is exact. */
  readonly tolerances: readonly (readonly number[])[];
  /**
   * True if a computed number is so close to another number, or to a bound, that the rows or their order are uncertain.
   */
  readonly isDoubtful: boolean;
}

/** A column of the answer. `name` is its name in `asked`. */
export interface Output {
  readonly name: string;
  readonly type: ValueType;
  readonly bin?: PlainBin;
  readonly tolerance?: string;
  readonly isRunning?: boolean;
}

interface Finishing {
  /** The relations of the query, in order. The last is `asked`, which reads `computed` if there are groups. */
  readonly relations: readonly string[];
  readonly outputs: readonly Output[];
  readonly order: readonly string[];
  /** Which rows are kept for each combination of the values of some columns, in the order of the answer. */
  readonly groupLimit?: {
    readonly names: readonly string[];
    readonly by: number;
    readonly offset: number;
  };
  readonly page: string;
  /**
   * SQL that is true for groups in `computed` of which it is uncertain whether they pass, because a computed number is
   * inexact.
   */
  readonly doubts: readonly string[];
  /** The computed numbers that determine the order of the rows. */
  readonly near: readonly { readonly name: string; readonly tolerance: string }[];
}

/** Reads the rows of the last relation and sorts them. Returns the requested page, and whether its rows are certain. */
export async function finishAnswer(
  oracle: Oracle,
  { relations, outputs, order, groupLimit, page, doubts, near }: Finishing,
): Promise<OracleAnswer> {
  const by = order.length > 0 ? ` order by ${order.join(", ")}` : "";
  const place = `row_number() over (partition by ${groupLimit?.names.join(", ")}${by})`;
  const qualify = groupLimit
    ? ` qualify ${place} > ${groupLimit.offset} and ${place} <= ${groupLimit.offset + groupLimit.by}`
    : "";
  const cells = outputs.map(({ name, type, isRunning, tolerance }) => {
    const shown = type === "datetime" ? `ms(${name})` : name;
    if (!isRunning) return [shown, tolerance ?? "0"];
    const window = `over (${by} rows unbounded preceding)`;
    const off = tolerance
      ? `sum(${tolerance}) ${window} + sum(abs(${name})) ${window} * count(*) ${window} * ${2 ** -52}`
      : "0";
    return [`sum(${name}) ${window}`, off];
  });
  const last = `select ${[...cells.map(([cell]) => cell), ...cells.map(([, off]) => off)].join(", ")} from asked${qualify}${by}${page}`;
  const found = await oracle.sendQuery(`with ${relations.join(", ")} ${last}`);
  const doubtSql = [
    ...doubts.map((test) => `select bool_or(${test}) from computed`),
    ...near.map(
      ({ name, tolerance }) =>
        `select bool_or(near) from (select ${name} - lag(${name}) over (order by ${name}) <= ${tolerance} + lag(${tolerance}) over (order by ${name}) as near from asked)`,
    ),
  ];
  const isDoubtful =
    doubtSql.length > 0 &&
    (await oracle.sendQuery(`with ${relations.join(", ")} ${doubtSql.join(" union all ")}`)).some(
      ([is]) => is === true,
    );
  return {
    rows: found.map((row) => outputs.map((output, index) => shownCell(row[index] ?? null, output))),
    tolerances: found.map((row) =>
      outputs.map((_, index) => Number(row[outputs.length + index] ?? 0)),
    ),
    isDoubtful,
  };
}

function shownCell(cell: OracleCell, { type, bin }: Output): string | number | null {
  if (cell === null) return null;
  if (type === "datetime") return new Date(Number(cell)).toISOString();
  if (type === "hierarchy") return String(cell);
  if (!bin) return Number(cell);
  const start = Number(cell);
  const index = Math.round((start - bin.origin) / bin.width);
  return `[ ${start} - ${plainLimit(bin, index + 1)} [`;
}
