import type { Batch } from "../../../plugins/protocol/index.ts";
import { chooseBin } from "./chooseBin.ts";
import type { Condition, Question, Reference, RelativeTest } from "../question.ts";
import { ownConditions } from "./ownConditions.ts";
import { referencesIn, withReferences } from "../references.ts";

/** Answers a question that this one stands on, with the same rights: one vector a measure. */
export type Probe = (question: Question) => Promise<Batch>;

/**
 * Finds out what a question leaves to the data: the last values that `last_available` counts from, over all rows that the caller may
 * see, and how wide bins are of which only the number is given, over the rows that pass `where`; those of a dimension with all its values over the
 * rows that have these. Asks nothing when it leaves nothing.
 */
export async function settle(question: Question, probe: Probe): Promise<Question> {
  return settleBins(await settleLast(question, probe), probe);
}

async function settleLast(question: Question, probe: Probe): Promise<Question> {
  const tests = [...question.where, ...question.having].flatMap(lastTests);
  if (tests.length === 0) return question;
  const references = distinct(tests.map(({ reference }) => reference));
  // Of each dataset by itself: joined rows are fewer, or the same ones several times.
  const byDataset = Map.groupBy(references, ({ datasetId }) => datasetId);
  const { tree: _, ...unjoined } = question;
  const extremesOf = [...byDataset.values()].map((some) =>
    extremes(unjoined, some, ["max"], [], probe),
  );
  const last = new Map((await Promise.all(extremesOf)).flatMap((each) => [...each]));
  const settled = (condition: Condition): Condition => {
    if ("and" in condition) return { and: condition.and.map(settled) };
    if ("or" in condition) return { or: condition.or.map(settled) };
    if (!isLast(condition)) return condition;
    const [lastMs = null] = last.get(keyOf(condition.reference)) ?? [];
    return { ...condition, lastMs: lastMs ?? Number.NaN };
  };
  return {
    ...question,
    where: question.where.map(settled),
    having: question.having.map(settled),
  };
}

async function settleBins(question: Question, probe: Probe): Promise<Question> {
  const { dimensions, measures, having, order } = question;
  const isOpen = ({ bins }: Reference) => bins !== undefined && "count" in bins;
  const mentions = [...dimensions, ...measures, ...having.flatMap(referencesIn)];
  const weights = mentions.flatMap(({ weight }) => (weight ? [weight] : []));
  const open = distinct([...mentions, ...weights].filter(isOpen));
  if (open.length === 0) return question;
  const isWhole = (reference: Reference) =>
    dimensions.some((each) => each.isComplete && isOpen(each) && keyOf(each) === keyOf(reference));
  const { tree: _, ...unjoined } = question;
  const endsOf = (asked: Question, some: readonly Reference[]) =>
    some.length === 0 ? [] : extremes(asked, some, ["min", "max"], asked.where, probe);
  const found = await Promise.all([
    endsOf(
      question,
      open.filter((each) => !isWhole(each)),
    ),
    ...open
      .filter(isWhole)
      .map((each) => endsOf({ ...unjoined, where: ownConditions(question.where, each) }, [each])),
  ]);
  const ends = new Map(found.flatMap((each) => [...each]));
  const settled = (reference: Reference): Reference => {
    const { bins, weight } = reference;
    const [least = null, most = null] = ends.get(keyOf(reference)) ?? [];
    return {
      ...reference,
      ...(bins && "count" in bins && { bins: chooseBin(bins.count, least, most) }),
      ...(weight && { weight: settled(weight) }),
    };
  };
  const settledIn = (condition: Condition): Condition => {
    if ("and" in condition) return { and: condition.and.map(settledIn) };
    if ("or" in condition) return { or: condition.or.map(settledIn) };
    if ("operands" in condition) return withReferences(condition, settled);
    return { ...condition, reference: settled(condition.reference) };
  };
  return {
    ...question,
    dimensions: dimensions.map(settled),
    measures: measures.map(settled),
    having: having.map(settledIn),
    order: order.map((item) => ({ ...item, reference: settled(item.reference) })),
  };
}

/** Asks the extremes of columns in one question. */
async function extremes(
  { path, timezoneId, tree }: Question,
  references: readonly Reference[],
  aggregations: readonly ("min" | "max")[],
  where: readonly Condition[],
  probe: Probe,
): Promise<ReadonlyMap<string, readonly (number | null)[]>> {
  const batch = await probe({
    path,
    dimensions: [],
    measures: references.flatMap(({ path: at, columnId, datasetId, expression }) =>
      aggregations.map((aggregation) => ({
        path: at,
        columnId,
        datasetId,
        ...(expression !== undefined && { expression }),
        level: undefined,
        aggregation,
      })),
    ),
    where,
    having: [],
    order: [],
    limit: undefined,
    rollup: true,
    timezoneId,
    ...(tree && { tree }),
  });
  const values = batch.columns.map((vector) => {
    const value = vector.type === "hierarchy" ? undefined : vector.values[0];
    return value === undefined || Number.isNaN(value) ? null : value;
  });
  const { length } = aggregations;
  return new Map(
    references.map((reference, index) => [
      keyOf(reference),
      values.slice(index * length, (index + 1) * length),
    ]),
  );
}

function lastTests(condition: Condition): readonly RelativeTest[] {
  if ("and" in condition) return condition.and.flatMap(lastTests);
  if ("or" in condition) return condition.or.flatMap(lastTests);
  return isLast(condition) ? [condition] : [];
}

function isLast(condition: Condition): condition is RelativeTest {
  return "relative" in condition && condition.relative === "last_available";
}

function distinct(references: readonly Reference[]): readonly Reference[] {
  return [...new Map(references.map((reference) => [keyOf(reference), reference])).values()];
}

function keyOf({ datasetId, columnId, expression }: Reference): string {
  return JSON.stringify([datasetId, columnId, expression]);
}
