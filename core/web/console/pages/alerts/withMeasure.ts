import type { AnsweredItem } from "../../pictures/index.ts";

/** Returns an answer with only one of its measures, so that a threshold can be drawn on the axis of its picture. */
export function withMeasure(answered: AnsweredItem, measure: number): AnsweredItem {
  const isKept = <Field extends { readonly slot: string }>(fields: readonly Field[]) => {
    const kept = fields.filter(({ slot }) => slot === "measure")[measure];
    return fields.map((each) => each.slot !== "measure" || each === kept);
  };
  const cells = isKept(answered.fields);
  const fields = isKept(answered.item.fields);
  return {
    ...answered,
    item: { ...answered.item, fields: answered.item.fields.filter((_, at) => fields[at]) },
    fields: answered.fields.filter((_, at) => cells[at]),
    rows: answered.rows.map((row) => row.filter((_, at) => cells[at])),
  };
}
