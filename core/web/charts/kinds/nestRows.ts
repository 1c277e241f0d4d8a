import { mixColors } from "../color/mixColors.ts";
import { columnsIn, type Frame, type PlacedColumn } from "../frame/frame.ts";
import { noteLeftOut } from "./noteLeftOut.ts";

/** A value of a level with the values of the next level that belong to it. */
export interface NestedValue {
  readonly name: string;
  /** The names of the value and of the values that contain it, such as "Europe / Belgium". */
  readonly path: string;
  readonly color: string;
  /** 0 for values of the first level. */
  readonly depth: number;
  /** Index of the row; undefined for a value of several rows. */
  readonly row: number | undefined;
  /** The value of the row as a share of the largest one; 0 for values that contain others. */
  readonly size: number;
  /** The sum of the rows in the units of the measure. */
  readonly total: number;
  readonly children: readonly NestedValue[];
}

interface Branch {
  readonly rows: number[];
  readonly branches: Map<string, Branch>;
  readonly cellRow: number;
}

/** Each level is lighter than the one before by this share, up to the fourth level. */
const lighterByLevel = 0.16;

/**
 * Arranges rows by the columns of the slot `levels`. Rows without a positive value are left out and counted. Values are
 * the sums of their rows.
 */
export function nestRows(frame: Frame): {
  readonly values: readonly NestedValue[];
  readonly levels: readonly PlacedColumn[];
  readonly measure: PlacedColumn | undefined;
} {
  const { rows, request } = frame;
  const { theme, colors } = request;
  const levels = columnsIn(frame, "levels");
  const [measure] = columnsIn(frame, "measure");
  const numbers = rows.map((row) => (measure ? (measure.number(row[measure.cell]) ?? 0) : 1));
  let most = 0;
  for (const number of numbers) most = Math.max(most, number);
  const root: Branch = { rows: [], branches: new Map(), cellRow: 0 };
  const left: string[] = [];
  for (const [index, row] of rows.entries()) {
    if (!(numbers[index]! > 0)) {
      left.push(levels.map((level) => level.text(row[level.cell])).join(" / "));
      continue;
    }
    let branch = root;
    for (const level of levels) {
      const key = level.key(row[level.cell]);
      const next: Branch = branch.branches.get(key) ?? {
        rows: [],
        branches: new Map(),
        cellRow: index,
      };
      next.rows.push(index);
      branch.branches.set(key, next);
      branch = next;
    }
  }
  noteLeftOut(frame, "notPositive", left.length, left);

  function nested(branch: Branch, depth: number, before: string, base: string): NestedValue {
    const level = levels[depth];
    const cell = level && rows[branch.cellRow]?.[level.cell];
    const name = level ? level.text(cell) : "";
    const path = before === "" ? name : `${before} / ${name}`;
    const own =
      level && depth === 0
        ? colors.of(level.field.columnId ?? "", level.key(cell), level.color(cell))
        : base;
    const isLeaf = depth === levels.length - 1;
    const total = branch.rows.reduce((sum, row) => sum + numbers[row]!, 0);
    return {
      name,
      path,
      color: depth === 0 ? own : lighter(own, depth),
      depth,
      row: branch.rows.length === 1 ? branch.rows[0] : undefined,
      size: isLeaf ? branch.rows.reduce((sum, row) => sum + numbers[row]! / most, 0) : 0,
      total,
      children: isLeaf
        ? []
        : [...branch.branches.values()].map((each) => nested(each, depth + 1, path, own)),
    };
  }

  function lighter(color: string, depth: number): string {
    const share = Math.min(0.6, lighterByLevel * depth);
    return mixColors(color, theme.background, share);
  }

  return {
    values: [...root.branches.values()].map((branch) => nested(branch, 0, "", "")),
    levels,
    measure,
  };
}
