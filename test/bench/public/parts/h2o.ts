import type { PublicPart } from "../publicPart.ts";
import {
  average,
  call,
  down,
  formula,
  max,
  median,
  min,
  rows,
  stddev,
  sum,
  term,
} from "../terms.ts";

/** Returns r², the squared correlation of two columns, from sums. */
function correlationSquared(x: string, y: string) {
  const centred = (one: string, other: string) =>
    formula(
      "subtract",
      formula("multiply", rows, sum(call("multiply", one, other))),
      formula("multiply", sum(one), sum(other)),
    );
  return formula(
    "divide",
    formula("multiply", centred(x, y), centred(x, y)),
    formula("multiply", centred(x, x), centred(y, y)),
  );
}

/** The group-by questions of H2O's db-benchmark, with 100 values in the small keys. */
export function h2o(rowCount: number, seed: number): PublicPart {
  const pick = (name: string, count: number) => `(hash(i, '${name}', ${seed}) % ${count})`;
  const many = Math.max(1, Math.round(rowCount / 100));
  const small = (name: string) => `'id' || lpad((1 + ${pick(name, 100)})::varchar, 3, '0')`;
  const keys = (...names: string[]) => names.map(term);
  const question = { table: "x" };
  return {
    name: "h2o",
    tables: [
      {
        name: "x",
        columns: [
          ...["id1", "id2", "id3"].map((name) => ({ name, type: "text" as const })),
          ...["id4", "id5", "id6", "v1", "v2", "v3"].map((name) => ({
            name,
            type: "number" as const,
          })),
        ],
        fewValued: ["id1", "id2"],
        clickhouseOrder: [],
        sql: `select ${small("id1")} as id1, ${small("id2")} as id2,
          'id' || lpad((1 + ${pick("id3", many)})::varchar, 10, '0') as id3,
          (1 + ${pick("id4", 100)})::integer as id4, (1 + ${pick("id5", 100)})::integer as id5,
          (1 + ${pick("id6", many)})::integer as id6, (1 + ${pick("v1", 5)})::integer as v1,
          (1 + ${pick("v2", 15)})::integer as v2, round(${pick("v3", 2 ** 40)} / ${2 ** 40} * 100, 6) as v3
          from range(${rowCount}) r(i)`,
      },
    ],
    links: [],
    questions: [
      { ...question, name: "G1", keys: keys("id1"), measures: [sum("v1")] },
      { ...question, name: "G2", keys: keys("id1", "id2"), measures: [sum("v1")] },
      { ...question, name: "G3", keys: keys("id3"), measures: [sum("v1"), average("v3")] },
      {
        ...question,
        name: "G4",
        keys: keys("id4"),
        measures: [average("v1"), average("v2"), average("v3")],
      },
      { ...question, name: "G5", keys: keys("id6"), measures: [sum("v1"), sum("v2"), sum("v3")] },
      { ...question, name: "G6", keys: keys("id4", "id5"), measures: [median("v3"), stddev("v3")] },
      {
        ...question,
        name: "G7",
        keys: keys("id3"),
        measures: [formula("subtract", max("v1"), min("v2"))],
      },
      {
        ...question,
        name: "G8",
        keys: keys("id6", "v3"),
        measures: [],
        isRaw: true,
        order: [down(1)],
        limit: { count: 2, offset: 0, per: 0 },
      },
      {
        ...question,
        name: "G9",
        keys: keys("id2", "id4"),
        measures: [correlationSquared("v1", "v2")],
        tolerance: 1e-6,
      },
    ],
    unsaid: [
      {
        name: "G10",
        reason: "as many groups as rows, and an answer of the API has at most 1,000,000 rows",
      },
    ],
    bars: { duckdb: 4, peers: 3, each: 1 },
  };
}
