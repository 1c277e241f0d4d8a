import type { Principal, ApiCall, Connection } from "../../../../core/base/contracts/index.ts";
import * as assert from "uvu/assert";
import { dataproviderHandlers } from "../../../../core/sources/connections/index.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import type { Dataset } from "../../../../plugins/protocol/index.ts";
import { createMemoryRecords, type MemoryRecords } from "../../../support/memoryRecords.ts";
import { suite } from "../../../support/suite.ts";

const principal: Principal = {
  authorizationId: "a1",
  authorizationType: "api",
  userId: "u1",
  organizationId: "o1",
  organizationRole: "member",
  name: "Ada",
  email: "ada@example.org",
};
const bikesProvider = {
  provider: "bikes",
  kind: "plugin",
  name: { en: "Bikes" },
  authorize: "token",
  properties: [],
} as const;
const trips: Dataset = {
  id: "public.trips",
  name: { en: "Trips", nl: "Ritten" },
  description: { en: "All" },
  columns: [
    { id: "city", name: { en: "City" }, type: "hierarchy" },
    { id: "km", name: { en: "Km" }, type: "numeric", subtype: "duration" },
    { id: "day", name: { en: "Day" }, type: "datetime", subtype: "date" },
    { id: "at", name: { en: "At" }, type: "datetime" },
  ],
};
const broken: Dataset = {
  id: "public.broken",
  name: { en: "Broken" },
  columns: [],
  notes: ["the server cannot read the view"],
};
const stops: Dataset = { id: "stops", name: { nl: "Haltes" }, columns: trips.columns.slice(0, 1) };

suite("core/sources/connections/dataprovider", (test) => {
  let records: MemoryRecords;
  let handlers: ReturnType<typeof dataproviderHandlers>;
  let offered: readonly Dataset[];
  let requested: (readonly string[] | undefined)[];
  test.beforeEach(async () => {
    offered = [trips, stops];
    requested = [];
    records = createMemoryRecords();
    await records.insert("account", { id: "c1", provider: "bikes", user_id: "u1" });
    const connection = {
      name: "bikes",
      datasets: async (_caller: unknown, only?: readonly string[]) => {
        requested.push(only);
        return only ? offered.filter(({ id }) => only.includes(id)) : offered;
      },
    } as Partial<Connection>;
    handlers = dataproviderHandlers({
      records,
      connections: {
        ofAccount: async () => connection as Connection,
        providers: async (_principal, provider) =>
          [bikesProvider].filter((each) => provider === undefined || each.provider === provider),
      },
    });
  });
  const call = (body: Record<string, unknown>, by = principal): ApiCall => ({
    resource: "dataprovider",
    action: "create",
    body,
    principal: by,
    requestId: "r1",
    address: undefined,
    signal: new AbortController().signal,
  });
  const failureOf = async (run: Promise<unknown>): Promise<ApiError> => {
    try {
      await run;
    } catch (failure) {
      if (failure instanceof ApiError) return failure;
      throw failure;
    }
    throw new Error("nothing was thrown");
  };

  test("`get` without an account lists all providers, or only the provider that the caller names", async () => {
    assert.equal(await handlers.get(call({ find: {} })), {
      count: 1,
      rows: [bikesProvider],
      data: [bikesProvider],
    });
    const none = { count: 0, rows: [], data: [] };
    assert.equal(await handlers.get(call({ find: { provider: "cars" } })), none);
    const failure = await failureOf(handlers.get(call({ find: { provider: 7 } })));
    assert.is(failure.code, "MEMBER_INVALID");
    assert.match(failure.message, /find\.provider.*must be a string, not/);
  });

  test("`get` returns the same list under `rows` and `data`, in which `table` is the dataset's id", async () => {
    const answer = (await handlers.get(
      call({ find: { provider: "bikes", account_id: "c1" } }),
    )) as {
      count: number;
      rows: Record<string, unknown>[];
      data: unknown;
    };
    assert.is(answer.count, 2);
    assert.equal(answer.rows, answer.data);
    const { id, name, schema, table, type, columns } = answer.rows[0]!;
    assert.equal(
      { id, name, schema, table, type, columns },
      {
        id: "public.trips",
        name: "Trips",
        schema: "public",
        table: "public.trips",
        type: "table",
        columns: trips.columns,
      },
    );
    assert.equal([answer.rows[1]?.["name"], answer.rows[1]?.["schema"]], ["Haltes", null]);
  });

  for (const [what, members] of [
    ["datasets", { datasets: ["public.trips"] }],
    ["tables", { tables: [{ schema: "public", table: "public.trips" }] }],
    ["an action", { action: "create", datasets: ["public.trips", "public.trips"] }],
  ] as const)
    test(`a create call with ${what} creates a live dataset with its columns`, async () => {
      const answer = (await handlers.create(
        call({ properties: { account_id: "c1", ...members } }),
      )) as {
        count: number;
        data: Record<string, unknown>[];
      };
      assert.is(answer.count, 1);
      const [dataset] = answer.data;
      const { type, subtype, name, storage, source_dataset, source_sheet, account_id, owner_id } =
        dataset!;
      assert.equal(
        { type, subtype, name, storage, source_dataset, source_sheet, account_id, owner_id },
        {
          type: "dataset",
          subtype: "bikes",
          name: trips.name,
          storage: "client",
          source_dataset: "c1",
          source_sheet: "public.trips",
          account_id: "c1",
          owner_id: "u1",
        },
      );
      const columns = dataset!["columns"] as Record<string, unknown>[];
      assert.equal(
        columns.map(({ source_name, order, type, subtype, lowestLevel, securable_id }) => [
          source_name,
          order,
          type,
          subtype,
          lowestLevel,
          securable_id,
        ]),
        [
          ["city", 0, "hierarchy", null, 0, dataset!["id"]],
          ["km", 1, "numeric", "duration", 0, dataset!["id"]],
          ["day", 2, "datetime", "date", 5, dataset!["id"]],
          ["at", 3, "datetime", null, 9, dataset!["id"]],
        ],
      );
    });

  test("creating a dataset for the same table again creates a second dataset", async () => {
    const make = () =>
      handlers.create(call({ properties: { account_id: "c1", datasets: ["stops"] } }));
    await make();
    await make();
    assert.is((await records.find("securable", {})).length, 2);
  });

  test("another person's account returns the same error as an unknown id", async () => {
    await records.insert("account", { id: "c2", provider: "bikes", user_id: "u2" });
    const texts = [];
    for (const id of ["c2", "c9"]) {
      const failure = await failureOf(handlers.get(call({ find: { account_id: id } })));
      texts.push([failure.code, failure.message.replace(id, "?")]);
    }
    assert.equal(texts[0], texts[1]);
    assert.is(texts[0]?.[0], "RECORD_NOT_FOUND");
  });

  test("listing datasets requires the right to use the account, not only to read it", async () => {
    const reader = { ...principal, userId: "u3" };
    records.grant("c1", "u3", "read");
    const body = { find: { account_id: "c1" } };
    assert.is((await failureOf(handlers.get(call(body, reader)))).code, "RECORD_NOT_FOUND");
    records.grant("c1", "u3", "use");
    assert.is(((await handlers.get(call(body, reader))) as { count: number }).count, 2);
  });

  const wrong: readonly (readonly [string, Record<string, unknown>, string, RegExp])[] = [
    ["no properties", {}, "MEMBER_MISSING", /properties/],
    [
      "no account_id",
      { properties: { datasets: ["stops"] } },
      "MEMBER_MISSING",
      /properties\.account_id/,
    ],
    ["no datasets", { properties: { account_id: "c1" } }, "MEMBER_MISSING", /properties\.datasets/],
    [
      "an empty list",
      { properties: { account_id: "c1", datasets: [] } },
      "MEMBER_MISSING",
      /properties\.datasets/,
    ],
    [
      "a table without a name",
      { properties: { account_id: "c1", tables: [{}] } },
      "MEMBER_INVALID",
      /tables\[0\]/,
    ],
    [
      "an unknown dataset",
      { properties: { account_id: "c1", datasets: ["stops", "x"] } },
      "MEMBER_INVALID",
      /no "x"; it offers: "public.trips", "stops"/,
    ],
    [
      "another provider",
      { properties: { account_id: "c1", provider: "cars", datasets: ["stops"] } },
      "MEMBER_INVALID",
      /"bikes"/,
    ],
    [
      "another action",
      { properties: { account_id: "c1", action: "drop", datasets: ["stops"] } },
      "MEMBER_INVALID",
      /properties\.action/,
    ],
  ];
  for (const [what, body, code, message] of wrong)
    test(`a create call with ${what} fails with ${code} and creates nothing`, async () => {
      const failure = await failureOf(handlers.create(call(body)));
      assert.is(failure.code, code);
      assert.match(failure.message, message);
      assert.equal(await records.find("securable", {}), []);
    });

  test("a dataset that the connection lists without columns cannot be created, and the error says why", async () => {
    offered = [broken];
    const properties = { account_id: "c1", datasets: ["public.broken"] };
    const failure = await failureOf(handlers.create(call({ properties })));
    assert.is(failure.code, "MEMBER_INVALID");
    assert.match(
      failure.message,
      /properties\.datasets\[0\].*"public\.broken" has no columns.*cannot read the view/,
    );
  });

  test("creating a dataset lists only this dataset, and all datasets only if its id is not found", async () => {
    const create = (tables: unknown) =>
      handlers.create(call({ properties: { account_id: "c1", tables } }));
    await create([{ schema: "public", table: "trips" }, "stops"]);
    assert.equal(requested, [["public.trips", "stops"]]);
    requested = [];
    // The name of the table is unique, but it is not the id.
    await create(["trips"]).catch(() => undefined);
    assert.equal(requested, [["trips"], undefined]);
  });
});
