import type { ValueLabel, Labels } from "../labels.ts";
import type { LabelledTexts, TextCell } from "./answerCell.ts";
import type { CatalogMemory } from "../../catalog/index.ts";
import type { HierarchyBatchColumn, Batch } from "../../../plugins/protocol/index.ts";
import type { ParsedQuery, Reference } from "../parsedQuery.ts";
import type { SecuredQuery } from "../secure/secure.ts";

export interface LabelFinderOptions {
  readonly labels: Labels;
  /** Caches the labels of columns with few labels between calls. */
  readonly memory?: CatalogMemory;
}

/**
 * Maximum number of labels of a column whose labels are cached. For a column with more labels, each answer looks up the
 * labels of its own values.
 */
const keptCount = 10_000;

/**
 * Finds the labels of the strings of an answer, for each cell of a row. The entry of a cell without labels is
 * undefined. Returns undefined if no cell has labels. Only values of the answer are looked up, so that a label never
 * reveals a row that a filter hides. Datasets without labels cause no lookup.
 */
export async function findLabels(
  {
    parsed,
    secured,
    batch,
  }: { readonly parsed: ParsedQuery; readonly secured: SecuredQuery; readonly batch: Batch },
  options: LabelFinderOptions,
): Promise<readonly (LabelledTexts | undefined)[] | undefined> {
  if (parsed.isPlain) return undefined;
  const datasets = [secured.dataset, ...secured.joined];
  const columnOf = (columnId: string) =>
    datasets.find(({ columns }) => columns.has(columnId))?.columns.get(columnId);
  let isLabelled = false;
  const references = [...parsed.dimensions, ...parsed.measures];
  const found = await Promise.all(
    references.map(async (reference, cell) => {
      const vector = batch.columns[secured.cells[cell] ?? -1];
      if (vector?.type !== "hierarchy" || !isValue(reference)) return undefined;
      const { labelCount: count = 0, hasNoColors } = columnOf(reference.columnId) ?? {};
      if (count === 0) return undefined;
      isLabelled = true;
      const labels = await labelsOf(reference.columnId, count, vector, options);
      return textsOf(labels, { localeId: parsed.localeId, hasColors: !hasNoColors });
    }),
  );
  return isLabelled ? found : undefined;
}

/** Returns whether a cell contains values of the column itself, not strings that an expression computes. */
function isValue({ expression, formula, formulaId }: Reference): boolean {
  return expression === undefined && formula === undefined && formulaId === undefined;
}

async function labelsOf(
  columnId: string,
  count: number,
  vector: HierarchyBatchColumn,
  { labels, memory }: LabelFinderOptions,
): Promise<ReadonlyMap<string, ValueLabel>> {
  if (memory && count <= keptCount)
    return memory.remember(
      `labels ${columnId}`,
      () => labels.find(columnId),
      sizeOfLabels,
      "structure",
    );
  const used = [...new Set(vector.codes)].flatMap((code) => vector.dictionary[code] ?? []);
  return labels.find(columnId, used);
}

function sizeOfLabels(labels: ReadonlyMap<string, ValueLabel>): number {
  let size = 100;
  for (const [value, { name }] of labels)
    size += 200 + 2 * (value.length + JSON.stringify(name).length);
  return size;
}

/** Creates cells on demand, because an answer shows few of the cached labels. */
function textsOf(
  labels: ReadonlyMap<string, ValueLabel>,
  { localeId, hasColors }: { readonly localeId: string | undefined; readonly hasColors: boolean },
): LabelledTexts {
  return {
    get(id) {
      const label = labels.get(id);
      if (!label) return undefined;
      const { name, color } = label;
      return {
        id,
        name: nameOf(id, name, localeId),
        ...(hasColors && color !== null && { color }),
      };
    },
  };
}

/**
 * Returns the name of a cell: the label in the requested language, keyed by that language. Without a requested
 * language, returns all labels. They always include a label for `en`, which clients use as a fallback.
 */
function nameOf(
  id: string,
  stored: Readonly<Record<string, string>> | null,
  localeId: string | undefined,
): TextCell["name"] {
  const names = Object.entries(stored ?? {}).filter(([, name]) => name !== "");
  const [first] = names;
  if (!first) return { en: id };
  if (localeId === undefined) return { en: first[1], ...Object.fromEntries(names) };
  const byLanguage = new Map(
    names.map(([language, name]) => [language.replaceAll("_", "-").toLowerCase(), name]),
  );
  for (let language = localeId.toLowerCase(); language !== ""; language = parentOf(language)) {
    const name = byLanguage.get(language);
    if (name !== undefined) return { [localeId]: name };
  }
  return { [localeId]: byLanguage.get("en") ?? first[1] };
}

/** Returns `nl` for `nl-be`, and the empty string for `nl`. */
function parentOf(language: string): string {
  return language.slice(0, Math.max(0, language.lastIndexOf("-")));
}
