import { alertQuery, kindOfItem, loadKind, loadWords, readItem } from "../../../charts/index.ts";
import type { Api } from "../../api/index.ts";
import { readerLocale, readerZone, textOf } from "../../language/index.ts";
import { queryItem } from "../../pictures/index.ts";
import {
  itemOf,
  readDataset,
  readQuestion,
  whereOf,
  type ExploredDataset,
  type Question,
  type StoredItem,
} from "../../questions/index.ts";
import { newDraft } from "./alertDraft.ts";
import { readChannels } from "./alertRecord.ts";
import type { EditedAlert } from "./editedAlert.ts";
import { hasValueAxis } from "./hasValueAxis.ts";
import { spanOf, timesOf } from "./pastOf.ts";
import { queriedColumns } from "./queriedColumns.ts";

/**
 * Prepares a new alert from a question in an address (`dataset` and `q`). The threshold is `above` of the address, or
 * else four fifths of the range of the values. Undefined if the question has no measure.
 */
export async function readNewAlert(
  api: Api,
  address: URLSearchParams,
  signal: AbortSignal,
): Promise<EditedAlert | undefined> {
  const dataset = await readDataset(api, address.get("dataset") ?? "", signal);
  // An alert compares all groups, also those that a ranking of Explore does not show.
  const question = { ...readQuestion(address.get("q")), order: undefined, limit: undefined };
  if (!dataset || question.measures.length === 0) return undefined;
  const item = readItem(itemWithAxis(question, dataset));
  const where = whereOf(question.filters, dataset.id);
  const [answered, drawKind, channels] = await Promise.all([
    queryItem(api, item, { where, signal }),
    loadKind(kindOfItem(item.type)?.kind ?? "table", readerLocale),
    readChannels(api, signal),
    loadWords(readerLocale),
  ]);
  const made = alertQuery(item, { where, timezoneId: readerZone });
  if (!answered || !made) return undefined;
  const { filters } = await queriedColumns(api, made.query, signal);
  const measures = answered.fields.filter(({ slot }) => slot === "measure");
  if (measures.length === 0) return undefined;
  const cell = answered.fields.length - measures.length;
  const values = answered.rows.map((row) => row[cell]).filter((value) => typeof value === "number");
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const usual = values.length > 0 ? Number((low + (high - low) * 0.8).toPrecision(2)) : 0;
  const above = Number(address.get("above") ?? Number.NaN);
  const threshold = Number.isFinite(above) ? above : usual;
  return {
    alert: undefined,
    draft: { ...newDraft, threshold, unit: made.unit ?? "day" },
    query: made.query,
    isOwnForm: true,
    channels,
    filters,
    answered,
    drawKind,
    measures: measures.map(({ label }) => textOf(label)),
    dimensions: answered.fields
      .filter(({ slot, level }) => slot !== "measure" && !level)
      .flatMap(({ columnId, label }) => (columnId ? [{ id: columnId, label: textOf(label) }] : [])),
    spanOf: (unit) => spanOf(timesOf(answered), unit),
  };
}

/**
 * Returns the item of a question with a value axis, on which a threshold can be drawn: bars, or a line for periods, if
 * the chart of the question has no such axis. Numbers as groups keep their chart, because bars would group them in
 * bins.
 */
function itemWithAxis(question: Question, dataset: ExploredDataset): StoredItem {
  const item = itemOf(question, dataset);
  const groupings = [...question.rows, ...(question.color ? [question.color] : [])];
  const types = groupings.map(({ id }) => dataset.columns.find((each) => each.id === id)?.type);
  if (hasValueAxis(item.type) || types.length === 0 || types.includes("numeric")) return item;
  const chart = types[0] === "datetime" ? "line-chart" : "bar-chart";
  return itemOf({ ...question, chart }, dataset);
}
