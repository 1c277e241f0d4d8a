import { kindOfItem, loadKind, readItem } from "../../../charts/index.ts";
import type { Api } from "../../api/index.ts";
import { textOf } from "../../language/index.ts";
import { queryItem } from "../../pictures/index.ts";
import { itemOf, readDataset, readQuestion, whereOf } from "../../questions/index.ts";
import { newDraft } from "./alertDraft.ts";
import { alertQuery } from "./alertQuery.ts";
import { readChannels } from "./alertRecord.ts";
import type { EditedAlert } from "./editedAlert.ts";
import { spanOf, timesOf } from "./pastOf.ts";

/**
 * Prepares a new alert from a question in an address (`dataset` and `q`). The threshold starts at four fifths of the
 * range of the values. Undefined if the question has no measure.
 */
export async function readNewAlert(
  api: Api,
  address: URLSearchParams,
  signal: AbortSignal,
): Promise<EditedAlert | undefined> {
  const dataset = await readDataset(api, address.get("dataset") ?? "", signal);
  const question = readQuestion(address.get("q"));
  if (!dataset || question.measures.length === 0) return undefined;
  const item = readItem(itemOf(question, dataset));
  const where = whereOf(question.filters, dataset.id);
  const [answered, drawKind, channels] = await Promise.all([
    queryItem(api, item, { where, signal }),
    loadKind(kindOfItem(item.type)?.kind ?? "table"),
    readChannels(api, signal),
  ]);
  const made = alertQuery(item, where);
  if (!answered || !made) return undefined;
  const measures = answered.fields.filter(({ slot }) => slot === "measure");
  if (measures.length === 0) return undefined;
  const cell = answered.fields.length - measures.length;
  const values = answered.rows.map((row) => row[cell]).filter((value) => typeof value === "number");
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const threshold = values.length > 0 ? Number((low + (high - low) * 0.8).toPrecision(2)) : 0;
  return {
    alert: undefined,
    draft: { ...newDraft, threshold, unit: made.unit ?? "day" },
    query: made.query,
    isOwnForm: true,
    channels,
    answered,
    drawKind,
    measures: measures.map(({ label }) => textOf(label)),
    dimensions: answered.fields
      .filter(({ slot, level }) => slot !== "measure" && !level)
      .flatMap(({ columnId, label }) => (columnId ? [{ id: columnId, label: textOf(label) }] : [])),
    spanOf: (unit) => spanOf(timesOf(answered), unit),
  };
}
