import * as assert from "uvu/assert";
import { connect } from "../../../../../core/sources/connections/connect.ts";
import { openEgress } from "../../../../../core/sources/connections/egress.ts";
import { legacyFilters } from "../../../../../core/sources/connections/overHttp/legacyFilters.ts";
import { overHttp } from "../../../../../core/sources/connections/overHttp/index.ts";
import {
  type Cell,
  type ColumnFilter,
  PluginError,
  rowsOfBatch,
} from "../../../../../plugins/protocol/index.ts";
import { openLegacyPlugin } from "../../../../support/legacyPlugin.ts";
import { rounds } from "../../../../support/layer.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";

/** Returns whether a cell passes a filter, as the protocol defines it, in the simplest way. */
function keeps(cell: Cell, { expression, value = [] }: ColumnFilter): boolean {
  const [first = null] = value;
  switch (expression) {
    case "is null":
      return cell === null;
    case "is not null":
      return cell !== null;
    case "in":
      return value.includes(cell);
    case "not in":
      return !value.includes(cell);
    case "=":
      return cell !== null && cell === first;
    case "!=":
      return cell === null || cell !== first;
    case "<":
      return cell !== null && first !== null && cell < first;
    case ">=":
      return cell !== null && first !== null && cell >= first;
    case "<=":
    case ">":
    case "ends with":
    case "like":
    case "not ends with":
    case "not like":
    case "not starts with":
    case "starts with":
      throw new Error(`unknown operator ${expression}`);
  }
}

suite("core/sources/connections/overHttp/legacyFilters", (test) => {
  test("every answer of a plugin with an older protocol version has exactly the rows that the protocol defines", async () => {
    const random = createRandom();
    const roundCount = rounds({ quick: 80, deep: 300 });
    const texts = ["a", "b", "c"];
    const numbers = [1, 2, 3];
    const rows = Array.from({ length: 40 }, (_, index) => [
      index,
      random.chance(0.2) ? null : random.pick(texts),
      random.chance(0.2) ? null : random.pick(numbers),
      random.pick(texts),
    ]);
    const columns = [
      { id: "row", type: "numeric" },
      { id: "t", type: "hierarchy" },
      { id: "n", type: "numeric" },
      { id: "full", type: "hierarchy" },
    ] as const;
    const plugin = await openLegacyPlugin({
      version: "3.0.0",
      pushdown: true,
      datasets: [{ id: "d", name: "D", columns, rows }],
    });
    const egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 60_000, sizeBytes: 2 ** 20 });
    let answered = 0;
    try {
      const remote = {
        slug: "x",
        baseUrl: plugin.url,
        protocolVersion: "3.0.0",
        pushdown: true,
        supportsDistinctcount: false,
      } as const;
      const connection = connect({
        name: "x",
        plugin: await overHttp(remote, egress),
        credentials: { properties: {} },
        fingerprint: "f",
        timeoutMs: 60_000,
        sizeBytes: 2 ** 20,
      });
      const caller = { signal: new AbortController().signal };
      const [dataset] = await connection.datasets(caller);
      await withSeed(random, async () => {
        for (let round = 0; round < roundCount; round++) {
          const filters = Array.from({ length: 1 + random.below(3) }, (): ColumnFilter => {
            const column_id = random.pick(["t", "n", "full"]);
            const cells: readonly Cell[] = column_id === "n" ? numbers : texts;
            const expression = random.pick([
              "=",
              "!=",
              "in",
              "not in",
              "is null",
              "is not null",
              ...(column_id === "n" ? (["<", ">="] as const) : []),
            ] as const);
            if (expression === "is null" || expression === "is not null")
              return { column_id, expression };
            const isList = expression === "in" || expression === "not in";
            const list = Array.from({ length: isList ? random.below(4) : 1 }, () =>
              isList && random.chance(0.2) ? null : random.pick(cells),
            );
            return { column_id, expression, value: list };
          });
          const index = (id: string) => columns.findIndex((column) => column.id === id);
          const expected = rows
            .filter((row) =>
              filters.every((filter) => keeps(row[index(filter.column_id)] ?? null, filter)),
            )
            .map(([id]) => [id]);
          const query = {
            id: "d",
            columns: [{ column_id: "row" }],
            filters,
            options: { pushdown: false },
          };
          const batch = await connection.query(query, dataset!, caller);
          answered += 1;
          assert.equal(rowsOfBatch(batch), expected, `round ${round}: ${JSON.stringify(filters)}`);
        }
      });
    } finally {
      egress.close();
      await plugin.close();
    }
    assert.is(answered, roundCount);
  });

  test("an operator that no version of the protocol has fails with PLUGIN_NOT_OFFERED, whatever its name", () => {
    for (const expression of ["like", "not ends with", "=; drop table d", "constructor", ""]) {
      const filter = { column_id: "t", expression, value: ["a"] } as unknown as ColumnFilter;
      assert.throws(
        () => legacyFilters([filter]),
        (thrown: unknown) =>
          thrown instanceof PluginError &&
          thrown.code === "PLUGIN_NOT_OFFERED" &&
          thrown.message.includes(`the operator ${expression}`),
        expression,
      );
    }
  });
});
