import { searchOf, type Api } from "../api/index.ts";
import { readCollections, titlesIn } from "../boards/index.ts";
import { textOf } from "../language/index.ts";
import type { Router } from "../navigation/index.ts";
import type { Command } from "../parts/index.ts";
import { questionWords, writeQuestion, type Question } from "../questions/index.ts";
import { words } from "./words.ts";

/** Maximum number of entries per kind. Without a search text, fewer are shown, so that actions stay in view. */
const mostOfOne = 8;
const mostWithoutText = 3;
/** Maximum number of favourites, which are shown without a search text. */
const mostFavorites = 5;
/** Maximum number of dashboards whose charts are searched. */
const mostBoards = 20;
/** Length from which a text is searched for in columns and titles of charts. */
const leastLetters = 2;

interface Named {
  readonly id: string;
  readonly name: unknown;
}

interface FoundColumn extends Named {
  readonly type: string;
  readonly securable?: Named | null;
}

/** What the host found for the palette, by kind. */
export interface FoundCommands {
  /** Dashboards, datasets, alerts and saved questions by name. */
  readonly records: readonly Command[];
  /** Columns by name, and charts by title. */
  readonly parts: readonly Command[];
}

/**
 * Finds dashboards, datasets, alerts and saved questions by name, columns by name, and charts by title. "column delay
 * of Flights" finds only columns. The host answers with the rights of the reader.
 */
export async function findRecords(
  given: string,
  finder: Finder,
  signal: AbortSignal,
): Promise<FoundCommands> {
  const text = given.trim();
  const [, column, datasetName = ""] = /^column\s+(.+?)(?:\s+of\s+(.*))?$/i.exec(text) ?? [];
  const isShort = text.length < leastLetters;
  if (column !== undefined)
    return { records: [], parts: await findColumns(column, datasetName, finder, signal) };
  const [records, columns, charts] = await Promise.all([
    findNamed(text, finder, signal),
    isShort ? [] : findColumns(text, "", finder, signal),
    isShort ? [] : findCharts(text, finder, signal),
  ]);
  return { records, parts: [...columns, ...charts] };
}

interface Finder {
  /** The reader. */
  readonly userId: string;
  readonly api: Api;
  readonly router: Router;
}

async function findNamed(
  text: string,
  { api, router, userId }: Finder,
  signal: AbortSignal,
): Promise<readonly Command[]> {
  const limit = text === "" ? mostWithoutText : mostOfOne;
  const read = async (resource: string, where: object, newest: string) => {
    const order = [[newest, "desc"]];
    const find = { where, ...searchOf(text), attributes: ["id", "name"], order, limit };
    return (await api.get<Named>(resource, find, { signal })).rows;
  };
  const [favorites, dashboards, datasets, alerts, questions] = await Promise.all([
    text === "" ? readFavorites(api, userId, signal) : [],
    read("securable", { type: "dashboard", is_variant: false }, "modified_at"),
    read("securable", { type: "dataset" }, "modified_at"),
    read("alert", {}, "updated_at"),
    read("savedquestion", {}, "updated_at"),
  ]);
  const commandOf = (kind: string, path: string) => (each: Named) => ({
    label: textOf(each.name) || each.id,
    kind,
    run: () => router.go(`/${path}/${each.id}`),
  });
  const starred = new Set(favorites.map(({ id }) => id));
  const isOther = ({ id }: Named) => !starred.has(id);
  return [
    ...favorites.map((each) =>
      each.type === "dashboard"
        ? commandOf(words.favorite(words.kinds.dashboard), "dashboards")(each)
        : commandOf(words.favorite(words.kinds.dataset), "explore")(each),
    ),
    ...dashboards.filter(isOther).map(commandOf(words.kinds.dashboard, "dashboards")),
    ...datasets.filter(isOther).map(commandOf(words.kinds.dataset, "explore")),
    ...alerts.map(commandOf(words.kinds.alert, "alerts")),
    ...questions.map(({ id, name }) => ({
      label: textOf(name) || id,
      kind: questionWords.savedQuestion,
      run: () => router.go(`/explore?saved=${id}`),
    })),
  ];
}

/** Fetches the favourites of the reader that changed last, dashboards and datasets. */
async function readFavorites(
  api: Api,
  userId: string,
  signal: AbortSignal,
): Promise<readonly (Named & { readonly type: string })[]> {
  const { favorites } = await readCollections(api, userId, signal);
  const ids = [...(favorites?.ids ?? [])];
  if (ids.length === 0) return [];
  const find = {
    where: { id: { in: ids } },
    attributes: ["id", "name", "type"],
    order: [["modified_at", "desc"]],
    limit: mostFavorites,
  };
  return (await api.get<Named & { readonly type: string }>("securable", find, { signal })).rows;
}

/** Finds columns whose name contains a text, in datasets whose name contains another text. */
async function findColumns(
  text: string,
  datasetName: string,
  { api, router }: Finder,
  signal: AbortSignal,
): Promise<readonly Command[]> {
  const { rows } = await api.get<FoundColumn>(
    "column",
    {
      where: { hidden: false },
      ...searchOf(text),
      attributes: ["id", "name", "type", "securable_id"],
      include: [
        {
          model: "Securable",
          attributes: ["id", "name"],
          ...(datasetName !== "" && { where: { name: { like: `%${datasetName}%` } } }),
        },
      ],
      limit: mostOfOne,
    },
    { signal },
  );
  return rows.flatMap(({ id, name, type, securable }): Command[] =>
    securable
      ? [
          {
            label: textOf(name) || id,
            kind: words.columnOf(textOf(securable.name) || securable.id),
            run: () => {
              const q = encodeURIComponent(writeQuestion(questionOf(id, type)));
              router.go(`/explore/${securable.id}?q=${q}`);
            },
          },
        ]
      : [],
  );
}

/** Returns the question that shows a column: its average, or the rows per value. */
function questionOf(id: string, type: string): Question {
  const rows = [{ id: "*", aggregation: "count" }];
  return type === "numeric"
    ? { rows: [], measures: [{ id, aggregation: "average" }], filters: [], chart: "" }
    : { rows: [{ id }], measures: rows, filters: [], chart: "" };
}

async function findCharts(
  text: string,
  { api, router }: Finder,
  signal: AbortSignal,
): Promise<readonly Command[]> {
  const { rows } = await api.get<Named & { readonly contents: unknown }>(
    "securable",
    {
      where: { type: "dashboard", is_variant: false },
      search: { keyphrase: text, match_types: ["contents"] },
      attributes: ["id", "name", "contents"],
      order: [["modified_at", "desc"]],
      limit: mostBoards,
    },
    { signal },
  );
  const needle = text.toLocaleLowerCase();
  return rows
    .flatMap(({ id, name, contents }) =>
      titlesIn(contents)
        .filter((title) => title.text.toLocaleLowerCase().includes(needle))
        .map((title) => ({
          label: title.text,
          kind: words.chartIn(textOf(name) || id),
          run: () => router.go(`/dashboards/${id}`),
        })),
    )
    .slice(0, mostOfOne);
}
