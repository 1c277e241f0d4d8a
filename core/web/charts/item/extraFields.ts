import type { ChartItem, SlotField } from "./item.ts";
import { listOf, objectOf, readField } from "./readItem.ts";

/** Maximum number of columns and formulas whose values accompany an event. */
const mostFields = 20;

/** Returns the columns and formulas whose values accompany the events of an item's marks. */
export function extraFields({ options }: Pick<ChartItem, "options">): readonly SlotField[] {
  const { customEvents } = objectOf<"customEvents">(options.interactivity);
  return listOf(objectOf<"extraData">(customEvents).extraData)
    .slice(0, mostFields)
    .map((content) => {
      const { weightedColumnId, weightedDatasetId, ...others } = objectOf<
        "weightedColumnId" | "weightedDatasetId"
      >(content);
      const weight = { columnId: weightedColumnId, datasetId: weightedDatasetId };
      return readField("extra", { ...others, aggregationWeight: weight });
    })
    .filter(({ columnId, formulaId, formula }) => (columnId ?? formulaId ?? formula) !== undefined);
}
