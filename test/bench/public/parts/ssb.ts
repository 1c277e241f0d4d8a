import type { Predicate } from "../../../../engine/index.ts";
import { starQuestions } from "../../star/starQuestions.ts";
import { starTables } from "../../star/starTables.ts";
import type { Measure, PublicPart, PublicQuestion, Test } from "../publicPart.ts";

/** The thirteen questions of the Star Schema Benchmark, from the bench `star`. */
export function ssb(rowCount: number, seed: number): PublicPart {
  const links = new Map<string, PublicPart["links"][number]>();
  for (const { plan } of starQuestions)
    for (const { name, table, left, right } of plan.joins ?? [])
      links.set(name, { name, table, left: { table: "facts", name: left.name }, right });
  return {
    name: "ssb",
    tables: starTables(rowCount, seed).map(({ name, columns, sql }) => ({
      name,
      columns,
      sql,
      fewValued: columns.filter(({ type }) => type === "text").map((column) => column.name),
      clickhouseOrder: name === "facts" ? ["day"] : [columns[0]!.name],
    })),
    links: [...links.values()],
    questions: starQuestions.map(({ name, plan }): PublicQuestion => ({
      name: `S${name}`,
      table: plan.table,
      keys: plan.outputs.flatMap((output) => (output.kind === "key" ? [output.of] : [])),
      measures: plan.outputs.flatMap((output): Measure[] =>
        output.kind === "aggregate" ? [output] : [],
      ),
      where: plan.filter ? testsOf(plan.filter) : [],
      ...(plan.order && { order: plan.order }),
    })),
    unsaid: [],
    bars: { duckdb: 2.5, peers: 2.5, each: 1 },
  };
}

function testsOf(filter: Predicate): readonly Test[] {
  return filter.kind === "and" ? filter.of.flatMap(testsOf) : [filter];
}
