import type { AskedItem } from "../../pictures/index.ts";

/** Returns an answer with only one of its measures, so that a threshold can be drawn on the axis of its picture. */
export function withMeasure(asked: AskedItem, measure: number): AskedItem {
  const isKept = <Field extends { readonly slot: string }>(fields: readonly Field[]) => {
    const kept = fields.filter(({ slot }) => slot === "measure")[measure];
    return fields.map((each) => each.slot !== "measure" || each === kept);
  };
  const cells = isKept(asked.fields);
  const fields = isKept(asked.item.fields);
  return {
    ...asked,
    item: { ...asked.item, fields: asked.item.fields.filter((_, at) => fields[at]) },
    fields: asked.fields.filter((_, at) => cells[at]),
    rows: asked.rows.map((row) => row.filter((_, at) => cells[at])),
  };
}
