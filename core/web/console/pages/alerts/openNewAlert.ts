import { html } from "lit";
import { searchOf, type Found } from "../../api/index.ts";
import { openForm, selectField, type ConsoleContext } from "../../parts/index.ts";
import {
  emptyQuestion,
  nameOf,
  nameOfAggregation,
  offeredAggregations,
  questionWords,
  readDataset,
  usualAggregation,
  writeQuestion,
} from "../../questions/index.ts";
import { pickRecord } from "../../records/index.ts";
import { words } from "./words.ts";

interface Listed {
  readonly id: string;
  readonly name: unknown;
}

const mostFound = 50;
/** Datetime levels over which an alert can measure: hour, day, week, month. */
const levels = ["6", "5", "4", "3"] as const;

/**
 * Lets the reader choose what a new alert watches: a dataset, one of its values, and a period. Then opens the editor.
 */
export async function openNewAlert({ api, router }: ConsoleContext): Promise<void> {
  const found = await pickRecord<Listed>({
    title: words.chooseDataset,
    label: words.findDataset,
    none: words.noDataset,
    nameOf,
    read: (search): Promise<Found<Listed>> =>
      api.get<Listed>("securable", {
        where: { type: "dataset" },
        attributes: ["id", "name"],
        order: [["modified_at", "desc"]],
        limit: mostFound,
        ...searchOf(search),
      }),
  });
  const dataset = found && (await readDataset(api, found.id));
  if (!dataset) return;
  const times = dataset.columns.filter(({ type }) => type === "datetime");
  const values = dataset.columns.filter(({ type }) => type !== "datetime");
  let [valueId, aggregation, timeId, level] = ["*", "count", times[0]?.id ?? "", "5"];
  const isChosen = await openForm<true>({
    title: words.watch(nameOf(dataset)),
    action: words.continue,
    body: ({ redraw }) => {
      const column = values.find(({ id }) => id === valueId);
      return html`${selectField({
        id: "watched-value",
        label: words.measure,
        value: valueId,
        choices: [
          { value: "*", label: questionWords.countRows },
          ...values.map((each) => ({ value: each.id, label: nameOf(each) })),
        ],
        onSelect: (id) => {
          valueId = id;
          const chosen = values.find((each) => each.id === id);
          aggregation = chosen ? usualAggregation(chosen) : "count";
          redraw();
        },
      })}
      ${
        column
          ? selectField({
              id: "watched-aggregation",
              label: words.aggregation,
              value: aggregation,
              choices: offeredAggregations(column.type === "numeric").map((each) => ({
                value: each,
                label: nameOfAggregation(each),
              })),
              onSelect: (next) => (aggregation = next),
            })
          : ""
      }
      ${
        times.length === 0
          ? ""
          : html`${selectField({
              id: "watched-time",
              label: words.over,
              value: timeId,
              choices: [
                ...times.map((each) => ({ value: each.id, label: nameOf(each) })),
                { value: "", label: words.overAll },
              ],
              onSelect: (id) => {
                timeId = id;
                redraw();
              },
            })}
            ${
              timeId === ""
                ? ""
                : selectField({
                    id: "watched-level",
                    label: words.period,
                    value: level,
                    choices: levels.map((each) => ({
                      value: each,
                      label: words.lastPeriods[each],
                    })),
                    onSelect: (next) => (level = next),
                  })
            }`
      }`;
    },
    save: () => Promise.resolve(true),
  });
  if (!isChosen) return;
  const question = {
    ...emptyQuestion,
    rows: timeId === "" ? [] : [{ id: timeId, level: Number(level) }],
    measures: [{ id: valueId, aggregation }],
  };
  const q = encodeURIComponent(writeQuestion(question));
  router.go(`/alerts/new?dataset=${dataset.id}&q=${q}`);
}
