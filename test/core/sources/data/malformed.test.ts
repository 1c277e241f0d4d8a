import * as assert from "uvu/assert";
import { dataHandlers } from "../../../../core/sources/data/index.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import { createQueries } from "../../../../core/queries/index.ts";
import { silentLog } from "../../../support/catalog.ts";
import { createMemoryRecords } from "../../../support/memoryRecords.ts";
import { createPlainConnections } from "../../../support/plainConnections.ts";
import { principalOf } from "../../../support/plainHost.ts";
import { createPlainOutbox } from "../../../support/plainOutbox.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { createRandom } from "../../../support/random.ts";
import { spoil } from "../../../support/spoil.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20260921);

const options = { header: ["city", "km", "at"], update_metadata: true, name: { en: "Trips" } };
const data = [
  ["a", 1, "2024-01-01"],
  ["b", null, "2024-01-02T03:04:05Z"],
];

async function openDataset() {
  const store = createPlainPlugin();
  const records = createMemoryRecords();
  const connections = createPlainConnections({ store, scratch: createPlainPlugin() });
  const queries = createQueries({ records, connections, rowFilters: async () => [] });
  const { create } = dataHandlers({
    records,
    connections,
    queries,
    outbox: createPlainOutbox(records, connections),
    refuseFilteredColumns: async () => undefined,
    log: silentLog,
  });
  const push = (properties: unknown) =>
    create({
      resource: "data",
      action: "create",
      body: { properties },
      principal: principalOf("ada"),
      requestId: "r",
      address: undefined,
      signal: new AbortController().signal,
    });
  await push({ type: "create", data, options });
  const [dataset] = await records.find("securable", {});
  if (!dataset) throw new Error("the dataset was not made");
  const call = { credentials: { properties: {} }, signal: new AbortController().signal };
  const state = async () =>
    JSON.stringify([
      await records.find("securable", {}),
      await records.find("column", {}),
      await store.datasets(call),
      store.rowsOf(dataset.id),
    ]);
  return { id: dataset.id, push, state };
}

suite("core/sources/data with malformed requests", (test) => {
  test("a push is stored completely or fails with a 4xx and changes nothing", async () => {
    const count = rounds({ quick: 250, deep: 2_000 });
    let refused = 0;
    for (let index = 0; index < count; index++) {
      const random = createRandom(seed + index);
      const { id, push, state } = await openDataset();
      const type = random.pick(["create", "append", "replace"]);
      const properties = { type, data, options, ...(type !== "create" && { securable_id: id }) };
      const spoilt = spoil(properties, random);
      const before = await state();
      try {
        await push(spoilt);
      } catch (failure) {
        const about = `SEED=${seed + index} ${JSON.stringify(spoilt)?.slice(0, 2_000)} ${String(failure)}`;
        assert.instance(failure, ApiError, about);
        assert.ok((failure as ApiError).status < 500, about);
        assert.ok((failure as ApiError).message.length < 3_000, about);
        assert.is(await state(), before, about);
        refused++;
      }
    }
    assert.ok(refused > count / 5 && refused < count);
  });
});
