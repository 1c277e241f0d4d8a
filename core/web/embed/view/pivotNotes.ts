import { counted, fillIn, wordsOf, type PivotHead, type Plural } from "../../charts/index.ts";
import type { ItemState } from "./itemPicture.ts";
import type { LaidPivot } from "./layPivot.ts";

type Answer = Extract<ItemState, { kind: "answer" }>;

/**
 * Returns the sentences below a pivot table: how many rows and columns it has, how many are hidden or left out, and
 * whether totals are missing.
 */
export function pivotNotes(
  { pivot, hiddenRows, hiddenColumns }: LaidPivot,
  {
    answer,
    localeId,
    missesTotals,
  }: { readonly answer: Answer; readonly localeId: string; readonly missesTotals: boolean },
): string[] {
  const words = wordsOf(localeId);
  const { rows, leftOut } = answer;
  const number = new Intl.NumberFormat(localeId);
  const rowCount = leafCount(pivot.rows);
  const columnCount = leafCount(pivot.columns);
  const hidden = (forms: Plural, count: number) =>
    count > 0 ? [fillIn(words.notShown, { names: counted(forms, count, localeId) })] : [];
  return [
    ...(pivot.rowFields.length > 0 ? [counted(words.rows, rowCount, localeId)] : []),
    ...(pivot.columnFields.length > 0 ? [counted(words.columns, columnCount, localeId)] : []),
    ...hidden(words.rows, hiddenRows),
    ...hidden(words.columns, hiddenColumns),
    ...(leftOut
      ? [
          fillIn(words.cellsOf, {
            shown: number.format(rows.length),
            count: leftOut.all
              ? number.format(rows.length + leftOut.all.count)
              : fillIn(words.moreThan, { count: number.format(rows.length) }),
          }),
        ]
      : []),
    ...(missesTotals ? [words.noTotals] : []),
    ...(answer.warnings ?? []),
  ];
}

function leafCount(head: PivotHead): number {
  if (head.children.length === 0) return head.depth === 0 ? 0 : 1;
  let count = 0;
  for (const child of head.children) count += leafCount(child);
  return count;
}
