import type { BoundCell, BoundPlan } from "../../plan/boundPlan.ts";
import { cutAnswer } from "./cutAnswer.ts";
import type { FinishedColumns } from "./finishHash.ts";
import { joinParts } from "./joinParts.ts";
import type { ComputedTexts } from "../rows/computedTexts.ts";
import { followCodes, unifyTexts, withRanks } from "../rows/computedTexts.ts";

/** The rows of a lane, one column per cell, and the computed strings for the codes of cells. */
export interface LaneRows {
  readonly rows: readonly Float64Array[];
  readonly texts: readonly ComputedTexts[];
}

/** Concatenates the rows of lanes, merges computed strings into one dictionary, and sorts and limits the rows. */
export function finishRows(
  plan: BoundPlan,
  cells: readonly BoundCell[],
  lanes: readonly LaneRows[],
): FinishedColumns {
  if (lanes.length === 0)
    return { columns: cells.map(() => new Float64Array(0)), texts: cells.map(() => undefined) };
  const unified = cells.map((_, cell) => unifyTexts(lanes.map(({ texts }) => texts[cell])));
  const texts = unified.map((own) => own.texts);
  const columns = joinParts(
    lanes.map(({ rows }, lane) =>
      rows.map((column, cell) => followCodes(column, unified[cell].maps[lane])),
    ),
  );
  return { columns: cutAnswer(withRanks(plan, texts), columns), texts };
}
