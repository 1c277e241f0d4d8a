import { randomUUID } from "node:crypto";
import { isList, isObject, type Members } from "../../base/index.ts";
import { fromId } from "../../queries/index.ts";
import { fillSlots, type FilledSlot, type ItemType } from "../../web/charts/index.ts";
import type { KnownDataset } from "../meaning/readDatasets.ts";

/** An answer in the form of a dashboard item, with the query behind it. */
export interface AnswerItem {
  readonly id: string;
  readonly type: ItemType;
  readonly options: { readonly title: Readonly<Record<string, string>> };
  readonly slots: readonly FilledSlot<Members>[];
  readonly query: Members;
}

/** Creates an item that shows the dimensions and measures of a query in the slots of a chart. */
export function makeItem(
  query: Members,
  chart: ItemType,
  title: string,
  language: string,
  datasets: readonly KnownDataset[],
): AnswerItem {
  const contentOf = (member: string) =>
    (isList(query[member]) ? query[member] : [])
      .filter(isObject)
      .map((each) => slotContent(each, datasets));
  return {
    id: randomUUID(),
    type: chart,
    options: { title: { [language]: title } },
    slots: fillSlots(chart, {
      dimensions: contentOf("dimensions"),
      measures: contentOf("measures"),
    }),
    query,
  };
}

function slotContent(reference: Members, datasets: readonly KnownDataset[]): Members {
  const { dataset_id: datasetId, column_id: columnId, formula_id: formulaId, level } = reference;
  const { aggregation } = reference;
  const dataset = datasets.find(({ id }) => id === datasetId);
  const record =
    dataset?.columns.find(({ id }) => id === columnId) ??
    dataset?.formulas.find(({ id }) => id === formulaId);
  const isCount = columnId === "*";
  return {
    set: datasetId,
    datasetId,
    ...(typeof formulaId === "string"
      ? { formula: formulaId, formulaId }
      : { column: columnId, columnId }),
    label: isCount ? { en: "Rows" } : (record?.names ?? nameIn(reference)),
    type: record && "type" in record ? record.type : "numeric",
    ...(level !== undefined && { level }),
    ...(isObject<"type">(aggregation) && { aggregationFunc: aggregation.type }),
  };
}

/** Returns the name of a column of an inner query, which has no record. */
function nameIn({ dataset_id: datasetId, column_id: columnId }: Members): Members {
  return datasetId === fromId ? { en: columnId } : {};
}
