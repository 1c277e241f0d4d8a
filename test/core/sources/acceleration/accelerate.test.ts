import * as assert from "uvu/assert";
import { PluginError } from "../../../../plugins/protocol/index.ts";
import { suite } from "../../../support/suite.ts";
import {
  openAccelerated,
  type AcceleratedDataset,
  type AcceleratedHost,
} from "./openAccelerated.ts";

suite("core/sources/acceleration/accelerate", (test) => {
  let host: AcceleratedHost;
  test.before(async () => {
    host = await openAccelerated();
  });
  test.after(() => host.close());

  const signal = new AbortController().signal;
  let tableCount = 0;
  /**
   * Creates an accelerated dataset over a table of three trips. One trip changed at noon on each of the first three
   * days of 2024.
   */
  const makeTrips = async (values: Parameters<AcceleratedHost["associate"]>[1] | undefined) => {
    const table = `trips_${tableCount++}`;
    await host.source.run(`
      create table ${table} (id int, city text, km numeric(8,2), at timestamptz, gone timestamptz);
      insert into ${table} values (1, 'Ghent', 3.5, '2024-01-01 12:00Z', null),
        (2, 'Lille', null, '2024-01-02 12:00Z', null), (3, null, 4, '2024-01-03 12:00Z', null)`);
    const dataset = await host.dataset(`public.${table}`);
    if (values) await host.associate(dataset, values);
    return { table, dataset };
  };
  const sendQuery = async (
    { id, columns }: AcceleratedDataset,
    options: object = {},
    names: readonly string[] = ["id", "city", "km"],
  ) => {
    const answered = await host.queries.answer(
      {
        dimensions: names.map((name) => ({ dataset_id: id, column_id: columns[name] })),
        options: { rollup_data: false, cells: "plain", ...options },
        explain: true,
      },
      host.owner,
      signal,
    );
    return [answered].flat()[0]!;
  };
  const idsOf = async (dataset: AcceleratedDataset, options?: object) =>
    (await sendQuery(dataset, options, ["id"])).data
      .map(([id]) => Number(id))
      .toSorted((a, b) => a - b);
  const byChange = ({ columns }: AcceleratedDataset) => ({
    load_type: "delta" as const,
    updated_at_column_id: columns["at"]!,
    overlap_seconds: 3600,
  });

  test("queries use the copy once it exists, unless `max_age` requires newer rows from the source", async () => {
    const { dataset } = await makeTrips({ load_type: "full" });
    const live = await sendQuery(dataset);
    assert.is(live.explain?.datasets[0]?.live, true);
    assert.is(await host.load(dataset), "copied");
    const copied = await sendQuery(dataset);
    assert.equal(copied.data, live.data);
    const [told] = copied.explain?.datasets ?? [];
    assert.is(told?.live, false);
    assert.ok(Number(told?.copy?.age) < 60 && Date.parse(String(told?.copy?.as_of)) > 0);
    for (const [maxAge, isLive] of [
      [0, true],
      [3600, false],
    ] as const) {
      const insisted = await sendQuery(dataset, { max_age: maxAge });
      assert.equal(insisted.data, live.data);
      assert.is(insisted.explain?.datasets[0]?.live, isLive);
    }
    const { status, rows, copied_rows, load, failure } = (await host.copyOf(dataset))!;
    assert.equal([status, rows, copied_rows, load, failure], ["ready", 3, 3, "full", null]);
    assert.ok(Number((await host.copyOf(dataset))?.["bytes"]) > 0);
  });

  for (const maxAge of ["1", -1, {}, true])
    test(`the error for max_age ${JSON.stringify(maxAge)} names the path of the member`, async () => {
      const { dataset } = await makeTrips(undefined);
      const refusal = await sendQuery(dataset, { max_age: maxAge }).catch(String);
      assert.match(String(refusal), /options\.max_age .*number of seconds/);
    });

  test("an insert delta reads the rows of the overlap again, but no earlier rows", async () => {
    const { table, dataset } = await makeTrips(undefined);
    await host.associate(dataset, { ...byChange(dataset), data_storage_strategy: "insert" });
    await host.load(dataset);
    await host.source.run(`
      delete from ${table} where id in (1, 3);
      insert into ${table} values (4, 'x', 1, '2024-01-03 11:30Z'), (5, 'x', 1, '2024-01-02 11:30Z'),
        (6, 'x', 1, null), (7, 'x', 1, '2024-01-04')`);
    assert.is(await host.load(dataset), "copied");
    assert.equal(await idsOf(dataset), [1, 2, 4, 7]);
    assert.is((await host.copyOf(dataset))?.["load"], "delta");
  });

  test("an update delta replaces rows with changed keys and keeps rows that were deleted in the source", async () => {
    const { table, dataset } = await makeTrips(undefined);
    await host.associate(dataset, {
      ...byChange(dataset),
      data_storage_strategy: "insert-update",
      primary_key_column_ids: [dataset.columns["id"]!],
    });
    await host.load(dataset);
    await host.source.run(`
      delete from ${table} where id = 3;
      update ${table} set city = 'Bruges', at = '2024-01-05' where id = 1`);
    assert.is(await host.load(dataset), "copied");
    const { data } = await sendQuery(dataset);
    assert.equal(
      data.toSorted(([a], [b]) => Number(a) - Number(b)),
      [
        [1, "Bruges", 3.5],
        [2, "Lille", null],
        [3, null, 4],
      ],
    );
    assert.is((await host.copyOf(dataset))?.["load"], "delta");
  });

  test("rows marked as deleted are removed from the copy, even if nothing else in them changed", async () => {
    const { table, dataset } = await makeTrips(undefined);
    await host.associate(dataset, {
      ...byChange(dataset),
      data_storage_strategy: "insert-update-delete",
      primary_key_column_ids: [dataset.columns["id"]!],
      deleted_at_column_id: dataset.columns["gone"]!,
    });
    await host.load(dataset);
    await host.source.run(`update ${table} set gone = '2024-01-06' where id = 1`);
    assert.is(await host.load(dataset), "copied");
    assert.equal(await idsOf(dataset), [2, 3]);
    assert.is((await host.copyOf(dataset))?.["load"], "delta");
  });

  test("a full load runs if a row before the overlap was deleted", async () => {
    const { table, dataset } = await makeTrips(undefined);
    await host.associate(dataset, {
      ...byChange(dataset),
      data_storage_strategy: "insert-update-delete",
      primary_key_column_ids: [dataset.columns["id"]!],
    });
    await host.load(dataset);
    await host.load(dataset);
    await host.source.run(`delete from ${table} where id = 1`);
    assert.is(await host.load(dataset), "copied");
    assert.equal(await idsOf(dataset), [2, 3]);
    assert.is((await host.copyOf(dataset))?.["load"], "full");
  });

  test("if the source has not changed, the load creates no copy and resets the age of the existing copy", async () => {
    const { dataset } = await makeTrips(undefined);
    await host.associate(dataset, { ...byChange(dataset), data_storage_strategy: "insert" });
    await host.load(dataset);
    await host.load(dataset);
    const before = await host.copyOf(dataset);
    assert.is(await host.load(dataset), "unchanged");
    const after = await host.copyOf(dataset);
    assert.is(after?.["copy_id"], before?.["copy_id"]);
    assert.ok(Number(after?.["as_of"]) > Number(before?.["as_of"]));
  });

  const failing: Readonly<
    Record<
      string,
      {
        readonly spoil: (table: string, dataset: AcceleratedDataset) => Promise<unknown>;
        readonly ended: string;
        readonly failure: RegExp;
        readonly mostRows?: number;
      }
    >
  > = {
    "an unavailable source": {
      async spoil() {
        host.wrap((connection) => ({
          ...connection,
          scan: () => Promise.reject(new PluginError("PLUGIN_SOURCE_FAILED", ["it is away"])),
          datasets: () => Promise.reject(new PluginError("PLUGIN_SOURCE_FAILED", ["it is away"])),
        }));
      },
      ended: "retry",
      failure: /it is away/,
    },
    "a source that fails halfway": {
      async spoil() {
        host.wrap((connection) => ({
          ...connection,
          async scan(...[query, dataset, caller, take]) {
            await connection.scan?.(query, dataset, caller, take);
            throw new PluginError("PLUGIN_SOURCE_FAILED", ["the connection was lost"]);
          },
        }));
      },
      ended: "retry",
      failure: /the connection was lost/,
    },
    "a silent source": {
      async spoil() {
        host.wrap((connection) => ({
          ...connection,
          scan: () =>
            Promise.reject(new PluginError("PLUGIN_TIMEOUT", ["no rows arrived for 1 ms"])),
        }));
      },
      ended: "retry",
      failure: /no rows arrived for 1 ms/,
    },
    "a dropped table": {
      spoil: (table) => host.source.run(`drop table ${table}`),
      ended: "failed",
      failure: /trips_\d+/,
    },
    "too many rows": {
      spoil: async () => undefined,
      mostRows: 2,
      ended: "failed",
      failure: /more than the 2 rows.*MANIFOLD_ACCELERATION_ROWS/,
    },
    "a full disk": {
      async spoil() {
        host.wrapStore((store) => ({
          ...store,
          write: async (write, caller) => {
            if (write.action !== "append") return store.write(write, caller);
            throw new PluginError("PLUGIN_SOURCE_FAILED", ["ENOSPC: no space left on device"]);
          },
        }));
      },
      ended: "retry",
      failure: /no space left/,
    },
    "two rows with the same key": {
      async spoil(table, { id, columns }) {
        const [row] = await host.records.find("securable", { id });
        await host.records.change("acceleration", String(row?.acceleration_id), {
          ...byChange({ id, columns }),
          data_storage_strategy: "insert-update",
          primary_key_column_ids: [columns["city"]!],
        });
        await host.load({ id, columns });
        await host.source.run(`update ${table} set city = 'Ghent', at = '2024-01-09'`);
      },
      ended: "failed",
      failure: /two rows of its source have the same values of primary_key_column_ids/,
    },
  };
  for (const [what, { spoil, ended, failure, mostRows }] of Object.entries(failing))
    test(`a load that fails because of ${what} leaves only the previous copy in the store, and the reason is recorded`, async () => {
      const { table, dataset } = await makeTrips({ load_type: "full" });
      await host.load(dataset);
      try {
        await spoil(table, dataset);
        await host.dropUnused();
        const [before, stored] = [await host.copyOf(dataset), await host.stored()];
        assert.is(await host.load(dataset, signal, mostRows), ended);
        const after = await host.copyOf(dataset);
        assert.match(String(after?.["failure"]), failure);
        assert.ok(after?.["failed_at"]);
        assert.equal(
          [after?.["status"], after?.["building_id"], after?.["copy_id"]],
          ["failed", null, before?.["copy_id"]],
        );
        await host.dropUnused();
        assert.equal((await host.stored()).toSorted(), stored.toSorted());
        assert.equal(await idsOf(dataset), [1, 2, 3]);
      } finally {
        host.wrap(undefined);
        host.wrapStore(undefined);
      }
    });

  test("if a column was removed or changed its type, the dataset is synchronized and loaded again", async () => {
    const { table, dataset } = await makeTrips({ load_type: "full" });
    await host.load(dataset);
    await host.source.run(`
      alter table ${table} drop column km;
      alter table ${table} alter column city type numeric using 5`);
    assert.is(await host.load(dataset), "copied");
    const { data } = await sendQuery(dataset, {}, ["city"]);
    assert.equal(data, [[5], [5], [5]]);
    const refusal = await sendQuery(dataset, {}, ["km"]).catch(String);
    assert.match(String(refusal), /its source no longer has/);
  });

  test("the error for an invalid setting of an acceleration names the member", async () => {
    const { dataset } = await makeTrips({ load_type: "delta" });
    assert.is(await host.load(dataset), "failed");
    const { failure } = (await host.copyOf(dataset))!;
    assert.match(String(failure), /needs updated_at_column_id or created_at_column_id/);
  });

  test("if two loads start concurrently, only one of them runs", async () => {
    const { dataset } = await makeTrips({ load_type: "full" });
    const ended = await Promise.all([host.load(dataset), host.load(dataset)]);
    assert.equal(ended.toSorted(), ["busy", "copied"]);
  });

  test("removing an acceleration during a load leaves nothing in the store", async () => {
    const { dataset } = await makeTrips({ load_type: "full" });
    await host.load(dataset);
    await host.dropUnused();
    const stored = await host.stored();
    host.wrap((connection) => ({
      ...connection,
      async scan(...[query, known, caller, take]) {
        await connection.scan?.(query, known, caller, take);
        await host.records.change("securable", dataset.id, { acceleration_id: null });
      },
    }));
    try {
      assert.is(await host.load(dataset), "gone");
    } finally {
      host.wrap(undefined);
    }
    await host.dropUnused();
    assert.is((await host.stored()).length, stored.length - 1);
    assert.is(await host.copyOf(dataset), undefined);
    assert.is((await sendQuery(dataset)).explain?.datasets[0]?.live, true);
  });

  test("a query goes to the source if the caller's token overrides the connection", async () => {
    const { dataset } = await makeTrips({ load_type: "full" });
    await host.load(dataset);
    const [row] = await host.records.find("securable", { id: dataset.id });
    const limited = host.limited([]);
    const restriction = {
      ...limited.restriction!,
      securables: new Map([[dataset.id, "read" as const]]),
      accountOverrides: new Map([[String(row?.account_id), { schema: "public" }]]),
    };
    const answered = await host.queries.answer(
      {
        measures: [{ dataset_id: dataset.id, column_id: "*", aggregation: { type: "count" } }],
        explain: true,
      },
      { ...limited, restriction },
      signal,
    );
    const [answer] = [answered].flat();
    assert.is(answer?.explain?.datasets[0]?.live, true);
    assert.equal(answer?.data, [[3]]);
  });

  test("queries stop using a copy once its connection has expired", async () => {
    const { dataset } = await makeTrips({ load_type: "full" });
    await host.load(dataset);
    const [row] = await host.records.find("securable", { id: dataset.id });
    const accountId = String(row?.account_id);
    await host.records.change("account", accountId, { expiry: new Date(0) });
    try {
      host.forget();
      assert.is((await sendQuery(dataset)).explain?.datasets[0]?.live, true);
    } finally {
      await host.records.change("account", accountId, { expiry: null });
      host.forget();
    }
  });
});
