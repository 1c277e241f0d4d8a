import type { Batch, BatchColumn, QueryColumn } from "../../../plugins/protocol/index.ts";
import { earlierPeriods } from "../earlierPeriods.ts";
import type { ParsedQuery } from "../parsedQuery.ts";
import type { Residual } from "../queryPlan.ts";
import { isSameColumn } from "../references.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import { addPastGroups, type PastAnswer } from "./addPastGroups.ts";
import { groupValues } from "./groupValues.ts";
import { pastQuery } from "./pastQuery.ts";

/** The groups of a query, and the residual that reads them. */
export interface GroupsAndResidual {
  readonly groups: Batch;
  readonly residual: Residual;
}

/** The answer to a query, with the index of the column of each cell. */
export interface WholeAnswer {
  readonly batch: Batch;
  readonly cells: readonly number[];
}

export interface CalculationOptions {
  readonly parsed: ParsedQuery;
  readonly secured: Pick<SecuredQuery, "calculations" | "cells">;
  /** The columns of the groups. */
  readonly columns: readonly QueryColumn[];
  /** Runs a query with the rights of the caller. */
  readonly runWhole: (parsed: ParsedQuery) => Promise<WholeAnswer>;
  /** Runs work of the main thread in time slices. */
  readonly inSlices: <Result>(steps: Generator<undefined, Result>) => Promise<Result>;
}

/**
 * Adds the calculated columns to the groups of a query. The measures of each earlier period are fetched with one query.
 * Groups that occur only in an earlier period are added.
 */
export async function addCalculations(
  { groups, residual }: GroupsAndResidual,
  { parsed, secured, columns, runWhole, inSlices }: CalculationOptions,
): Promise<GroupsAndResidual> {
  const { calculations, cells } = secured;
  const { dimensions } = parsed;
  const keys = dimensions.map((_, index) => residual.vectors[cells[index] ?? -1] ?? -1);
  const answers = await Promise.all(
    earlierPeriods(calculations).map(async (some): Promise<PastAnswer> => {
      const { batch, cells: places } = await runWhole(pastQuery(parsed, some));
      const found = places.flatMap((place) => batch.columns[place] ?? []);
      const measured = found.slice(dimensions.length);
      return {
        rowCount: batch.rowCount,
        keys: found.slice(0, dimensions.length),
        movedKeys: dimensions.flatMap((each, index) =>
          some.some(({ of }) => isSameColumn(each, of)) ? [index] : [],
        ),
        values: new Map(
          some.flatMap(({ id }, index) => {
            const column = measured[index];
            return column ? [[id, column] as const] : [];
          }),
        ),
      };
    }),
  );
  const added = await inSlices(addPastGroups(groups, columns, keys, answers));
  const calculated = new Map<string, BatchColumn>(added.pasts);
  for (const each of calculations)
    if (each.kind !== "past")
      calculated.set(each.id, await inSlices(groupValues(added.groups, residual.vectors, each)));
  const { length } = added.groups.columns;
  const ids = [...calculated.keys()];
  return {
    groups: { ...added.groups, columns: [...added.groups.columns, ...calculated.values()] },
    residual: {
      ...residual,
      columns: [...residual.columns, ...ids.map((id) => ({ id, type: "numeric" as const }))],
      vectors: [...residual.vectors, ...ids.map((_, place) => length + place)],
    },
  };
}
