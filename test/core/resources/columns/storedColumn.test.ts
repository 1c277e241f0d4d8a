import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import type { ResourceRow } from "../../../../core/base/contracts/index.ts";
import type { Host } from "../../../../core/host.ts";
import { refuseOtherType } from "../../../../core/resources/columns/storedColumn.ts";
import { joinSharedHost } from "../../../support/joinSharedHost.ts";
import { suite } from "../../../support/suite.ts";
import { refused } from "../../../support/refused.ts";

interface Pushed {
  readonly rows: readonly {
    readonly id: string;
    readonly rows: number;
    readonly columns: readonly { readonly id: string }[];
  }[];
}

suite("core/resources/columns/storedColumn", (test) => {
  let host: Host;
  let client: Client;
  let datasetId = "";
  let numberId = "";

  const rowsWith = async (columnId: string) => {
    const dimensions = [numberId, columnId].map((id) => ({ dataset_id: datasetId, column_id: id }));
    return (await client.get<{ data: unknown[][] }>("data", { dimensions })).data;
  };
  const create = (type: string) =>
    client.create<{ id: string }>("column", { order: 5, name: { en: "Extra" }, type });

  test.before(async () => {
    host = await joinSharedHost();
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    client = createClient({ url: host.url, key, token });
    const made = await client.create<Pushed>("data", {
      type: "create",
      data: [[1], [2]],
      options: { header: ["number"] },
    });
    datasetId = made.rows[0]?.id ?? "";
    numberId = made.rows[0]?.columns[0]?.id ?? "";
  });
  test.after(async () => {
    await host.close();
  });

  test("a column that is added to a pushed dataset contains nulls until values are pushed", async () => {
    const column = await create("numeric");
    await client.associate("column", column.id, { role: "Securable", id: datasetId });
    assert.equal(await rowsWith(column.id), [
      [1, null],
      [2, null],
    ]);
    await client.create("data", { type: "append", securable_id: datasetId, data: [[3, 30]] });
    assert.equal((await rowsWith(column.id)).at(-1), [3, 30]);
    await client.dissociate("column", column.id, { role: "Securable", id: datasetId });
    assert.is((await refused(rowsWith(column.id))).status, 400);
    await client.associate("securable", datasetId, { role: "Columns", id: column.id });
    assert.equal((await rowsWith(column.id)).at(-1), [3, 30], "it finds its values again");
    await client.delete("column", column.id);
    assert.is((await refused(rowsWith(column.id))).status, 400);
  });

  test("shared_storage_metadata lists the columns that a dataset has now", async () => {
    const listed = async () => {
      const dataset = await client.get<{ rows: { shared_storage_metadata: unknown }[] }>(
        "securable",
        { where: { id: datasetId } },
      );
      return dataset.rows[0]?.shared_storage_metadata;
    };
    const column = await create("hierarchy");
    const securable = { role: "Securable", id: datasetId };
    await client.associate("column", column.id, securable);
    assert.equal(await listed(), { numeric: [numberId], hierarchy: [column.id] });
    await client.dissociate("column", column.id, securable);
    assert.equal(await listed(), { numeric: [numberId], hierarchy: [] });
    await client.associate("column", column.id, securable);
    await client.delete("column", column.id);
    assert.equal(await listed(), { numeric: [numberId], hierarchy: [] });
    const derived = await client.create<{ id: string }>("column", {
      name: { en: "Twice" },
      order: 6,
      expression: `{${datasetId}:${numberId}} * 2`,
    });
    await client.associate("column", derived.id, securable);
    await client.create("data", { type: "append", securable_id: datasetId, data: [[4]] });
    assert.equal(await listed(), { numeric: [numberId], hierarchy: [] });
    await client.delete("column", derived.id);
  });

  test("a column with values cannot change its type, but can change every other member", async () => {
    const refusal = await refused(client.update("column", numberId, { type: "hierarchy" }));
    assert.is(refusal.status, 409);
    assert.match(refusal.message, /numeric/);
    await client.update("column", numberId, { type: "numeric", name: { en: "Number" } });
    assert.equal((await rowsWith(numberId))[0], [1, 1]);
  });

  test("the type of a derived column can be only the type of its expression", () => {
    const column = { id: "c", type: "numeric", securable_id: datasetId, expression: "1 + 1" };
    assert.throws(
      () => refuseOtherType(column as ResourceRow<"column">, { type: "hierarchy" }),
      /the expression of the column c has type numeric, and the new expression has type hierarchy/,
    );
  });

  test("a column that was removed from a dataset cannot be added again with another type", async () => {
    const column = await create("numeric");
    await client.associate("column", column.id, { role: "Securable", id: datasetId });
    await client.dissociate("column", column.id, { role: "Securable", id: datasetId });
    await client.update("column", column.id, { type: "hierarchy" });
    const target = { role: "Securable", id: datasetId };
    const refusal = await refused(client.associate("column", column.id, target));
    assert.is(refusal.status, 409);
    assert.match(refusal.message, /numeric.*hierarchy/);
  });

  test("the error for a column type that cannot be stored names the type", async () => {
    const column = await create("spatial");
    const target = { role: "Securable", id: datasetId };
    const refusal = await refused(client.associate("column", column.id, target));
    assert.is(refusal.status, 400);
    assert.match(refusal.message, /spatial/);
  });
});
