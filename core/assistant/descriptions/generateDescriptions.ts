import { type ApiCall, ApiError, type Exposure, type Records } from "../../base/index.ts";
import type { Queries } from "../../queries/index.ts";
import { maySend, type CallModel, type SentKind } from "../createCallModel.ts";
import { callAs, type OwnHandlers } from "../callAs.ts";
import { measureDataset, type DatasetFigures } from "../meaning/measureDataset.ts";
import { readDatasets, type KnownDataset } from "../meaning/readDatasets.ts";
import { describePart, type DescribedItem, type Descriptions } from "./describePart.ts";
import { parsePayload, type GivenDataset, type GivenItem } from "./parsePayload.ts";

export interface DescriptionsOptions {
  readonly callModel: CallModel;
  readonly handlers: OwnHandlers;
  readonly records: Pick<Records, "visible">;
  readonly queries: Pick<Queries, "answer">;
  readonly exposure: Exposure;
}

/** Maximum number of columns and formulas per call to the model. */
const partSize = 40;

type Texts = Readonly<Record<string, unknown>>;
interface Described {
  readonly id: string;
  readonly description: Texts;
}

/**
 * Describes datasets with their columns and formulas in several languages, for callers who may modify them. Returns the
 * payload that was sent, with the descriptions added. `incomplete` lists the ids that the model did not describe. With
 * `dry: false`, the descriptions are also stored, as updates by the caller.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN; the errors of `parsePayload` and `CallModel`
 */
export async function generateDescriptions(
  call: ApiCall,
  options: DescriptionsOptions,
): Promise<object> {
  const { datasets: given, languages, isDry } = parsePayload(call.body.properties);
  const known = await expectModifiable(given, call, options);
  const found = given.map((item) => {
    const dataset = known.get(item.id)!;
    return {
      dataset,
      item,
      columns: pick("column", item.columns, dataset.columns),
      formulas: pick("formula", item.formulas, dataset.formulas),
    };
  });
  const described: object[] = [];
  const incomplete: string[] = [];
  for (const { dataset, item, columns, formulas } of found) {
    const wanted = languages ?? languagesOf(dataset);
    const texts = await describe({ dataset, item, columns, formulas }, wanted, call, options);
    const present = (record: Chosen): Described => {
      const own = texts.get(record.id);
      if (!own) incomplete.push(record.id);
      return { id: record.id, description: { ...record.descriptions, ...record.given, ...own } };
    };
    const answer = {
      ...present({ ...dataset, given: item.description, facts: {} }),
      columns: columns.map(present),
      formulas: formulas.map(present),
    };
    if (!isDry) await store(answer, texts, call, options.handlers);
    described.push(answer);
  }
  return { properties: { datasets: described }, ...(incomplete.length > 0 && { incomplete }) };
}

/** An item to describe, both as sent by the caller and as stored in the catalog. */
interface Chosen {
  readonly id: string;
  readonly descriptions: Texts;
  readonly given: Texts | undefined;
  readonly facts: Texts;
}

/**
 * Throws unless the caller may modify all of the datasets.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN
 */
async function expectModifiable(
  given: readonly GivenDataset[],
  call: ApiCall,
  { handlers, records }: DescriptionsOptions,
): Promise<ReadonlyMap<string, KnownDataset>> {
  const ids = given.map(({ id }) => id);
  const read = await readDatasets({ ids, limit: ids.length }, call, handlers);
  const known = new Map(read.map((dataset) => [dataset.id, dataset]));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) throw new ApiError("RECORD_NOT_FOUND", ["dataset", missing]);
  const own = await records.visible("securable", ids, "modify", call.principal);
  if (own.size < known.size)
    throw new ApiError("FORBIDDEN", ["modify the datasets to be described"]);
  return known;
}

/** Returns the records that the caller listed for a dataset. Without a list, returns all records. */
function pick(
  kind: "column" | "formula",
  given: readonly GivenItem[] | undefined,
  known: readonly (KnownDataset["columns"][number] | KnownDataset["formulas"][number])[],
): readonly Chosen[] {
  const byId = new Map(known.map((each) => [each.id, each]));
  const items = given ?? known.map(({ id }) => ({ id, description: undefined }));
  return items.map(({ id, description }) => {
    const record = byId.get(id);
    if (!record) throw new ApiError("RECORD_NOT_FOUND", [kind, id]);
    const { name, context } = record;
    const more = "expression" in record ? { expression: record.expression } : { type: record.type };
    const facts = { name, description: description ?? record.descriptions, context, ...more };
    return { id, descriptions: record.descriptions, given: description, facts };
  });
}

async function describe(
  target: {
    readonly dataset: KnownDataset;
    readonly item: GivenDataset;
    readonly columns: readonly Chosen[];
    readonly formulas: readonly Chosen[];
  },
  languages: readonly string[],
  call: ApiCall,
  { callModel, queries, exposure }: DescriptionsOptions,
): Promise<Descriptions> {
  const { dataset, item, columns, formulas } = target;
  const withValues = maySend(exposure, "samples");
  const figures = maySend(exposure, "statistics")
    ? await measureDataset(dataset, call, queries, withValues)
    : undefined;
  const sent = new Set<SentKind>(["names", "descriptions"]);
  if (figures) sent.add("statistics");
  if (figures && withValues) sent.add("samples");
  const purpose = { resource: "generate_descriptions", recordId: dataset.id, sent };
  const whole: DescribedItem = {
    id: dataset.id,
    kind: "dataset",
    facts: {
      name: dataset.name,
      description: item.description ?? dataset.descriptions,
      context: dataset.context,
      columns: dataset.columns.slice(0, partSize).map(({ name }) => name),
      ...(figures && { rows: figures.rows }),
    },
  };
  const items: readonly DescribedItem[] = [
    whole,
    ...columns.map(({ id, facts }) => ({
      id,
      kind: "column" as const,
      facts: { dataset: dataset.name, ...facts, ...figuresOf(id, figures) },
    })),
    ...formulas.map(({ id, facts }) => ({
      id,
      kind: "formula" as const,
      facts: { dataset: dataset.name, ...facts },
    })),
  ];
  const described = new Map<string, Readonly<Record<string, string>>>();
  for (let from = 0; from < items.length; from += partSize) {
    const part = items.slice(from, from + partSize);
    for (const [id, texts] of await describePart(part, languages, callModel, call, purpose))
      described.set(id, texts);
  }
  return described;
}

const figuresOf = (id: string, figures: DatasetFigures | undefined) => figures?.columns[id] ?? {};

/** Lists the languages in which a dataset or a column has a name. */
function languagesOf({ names, columns }: KnownDataset): readonly string[] {
  const named = [names, ...columns.map((column) => column.names)].flatMap(Object.keys);
  const languages = [...new Set(named)].slice(0, 10);
  return languages.length > 0 ? languages : ["en"];
}

/** Stores the model's descriptions on behalf of the caller, with the caller's rights. */
async function store(
  answer: Described & Readonly<Record<"columns" | "formulas", readonly Described[]>>,
  texts: Descriptions,
  call: ApiCall,
  handlers: OwnHandlers,
): Promise<void> {
  const records = [
    ["securable", answer] as const,
    ...answer.columns.map((column) => ["column", column] as const),
    ...answer.formulas.map((formula) => ["formula", formula] as const),
  ];
  for (const [resource, { id, description }] of records)
    if (texts.has(id))
      await callAs(handlers, call, resource, "update", { id, properties: { description } });
}
