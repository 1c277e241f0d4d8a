import * as assert from "uvu/assert";
import { createQueries, type QueryAnswer } from "../../../../core/queries/index.ts";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { createMemoryRecords } from "../../../support/memoryRecords.ts";
import { createPlainConnections } from "../../../support/plainConnections.ts";
import { principalOf } from "../../../support/plainHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { eur, products, ref, sales } from "./joinedSales.ts";

const byLabel = { dimensions: [ref("P", "label")], measures: [eur] };
const filtered = {
  ...byLabel,
  where: [{ expression: "? = ?", parameters: [ref("P", "group"), "g1"] }],
};

/** Creates a host with sales and products in its store. */
async function openStored() {
  const store = createPlainPlugin();
  const records = createMemoryRecords();
  const columnsOf = ({ columns }: typeof sales) =>
    columns
      .filter(({ expression }) => expression === undefined)
      .map(({ id, type }) => ({ id, type: type === "numeric" ? type : ("hierarchy" as const) }));
  for (const dataset of [sales, products]) {
    const { id, rows } = dataset;
    store.fill(id, columnsOf(dataset), rows);
    await records.insert("securable", {
      id,
      type: "dataset",
      storage: "plainstore",
      shared_storage_version: "version 1",
      rows: rows.length,
      owner_id: "ada",
    });
    await records.insertMany(
      "column",
      columnsOf(dataset).map((column, order) => ({
        ...column,
        securable_id: id,
        name: { en: column.id },
        order,
      })),
    );
  }
  records.link("column", "Joins", "product", "sku");
  const queries = createQueries({
    records,
    connections: createPlainConnections({ store, scratch: createPlainPlugin() }),
    rowFilters: async () => [],
  });
  const send = async (query: object) =>
    (await queries.answer(query, principalOf("ada"), new AbortController().signal)) as QueryAnswer;
  const counted = () =>
    store.requested.filter(({ columns }) =>
      columns.some(({ aggregation }) => aggregation === "distinctcount"),
    ).length;
  return {
    send,
    /** Sends a query and returns how many times it counted keys. */
    async countsOf(query: object) {
      const before = counted();
      await send(query);
      return counted() - before;
    },
    async push(rows: readonly (readonly Cell[])[], version: string) {
      store.fill("P", columnsOf(products), rows);
      await records.change("securable", "P", { shared_storage_version: version });
    },
  };
}

suite("core/queries/join/storedLinks", (test) => {
  test("keys in the store are counted once per version of the rows", async () => {
    const host = await openStored();
    assert.is(await host.countsOf(filtered), 1);
    assert.is(await host.countsOf(filtered), 0);
    assert.is(await host.countsOf(byLabel), 0);
    await host.push(products.rows, "version 2");
    assert.is(await host.countsOf(filtered), 1);
    assert.is(await host.countsOf(filtered), 0);
  });

  test("a key with duplicates fails the join from the push that adds them to the push that removes them", async () => {
    const host = await openStored();
    const { data } = await host.send(filtered);
    await host.push([...products.rows, ["p1", "Ghent", "g9"]], "version 2");
    for (const query of [filtered, byLabel, filtered])
      assert.is((await refusal(host.send(query))).code, "QUERY_NOT_JOINABLE");
    await host.push(products.rows, "version 3");
    assert.equal((await host.send(filtered)).data, data);
  });
});
