import type { Connections, Records, Principal } from "../../../../core/base/contracts/index.ts";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import * as assert from "uvu/assert";
import { ensureOwner, authenticate } from "../../../../core/identity/access/index.ts";
import type { ApiError } from "../../../../core/base/errors.ts";
import {
  createPushRequests,
  dataHandlers,
  reconcileStore,
} from "../../../../core/sources/data/index.ts";
import { carryOutDue, openOutbox } from "../../../../core/catalog/outbox/index.ts";
import { createQueries } from "../../../../core/queries/index.ts";
import {
  createKernel,
  refuseFilteredColumns,
  openRecords,
} from "../../../../core/resources/index.ts";
import type { Plugin, Write } from "../../../../plugins/protocol/index.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../../support/catalog.ts";
import { createPlainConnections } from "../../../support/plainConnections.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { suite } from "../../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;
/** The point at which the host fails: before or after a write of that kind, or instead of the commit. */
type Step = "begin" | `${"before" | "after"} ${Write["action"]}` | "commit";

suite("core/catalog/outbox", (test) => {
  let catalog: TestCatalog;
  let records: Records;
  let ada: Principal;
  const store = createPlainPlugin();
  let breaksAt: Step | undefined;
  /** Called with each write before the write reaches the store. */
  let onWrite: (write: Write) => Promise<void> = async () => undefined;
  /** Whether the process is treated as dead. A dead process does not undo or retry anything. */
  let isDead = false;
  const die = (step: Step) => {
    if (breaksAt === step) isDead = true;
    if (isDead) throw new Error("the process died");
  };
  const mortal: Plugin = {
    ...store,
    async datasets(call) {
      const found = await store.datasets(call);
      return found.map((dataset) => ({ ...dataset, rows: store.rowsOf(dataset.id)?.length ?? 0 }));
    },
    async write(call) {
      die(`before ${call.write.action}`);
      await onWrite(call.write);
      const answer = await store.write?.(call);
      die(`after ${call.write.action}`);
      if (!answer) throw new Error("the plain plugin must accept writes");
      return answer;
    },
  };
  const connections: Connections = createPlainConnections({
    store: mortal,
    scratch: createPlainPlugin(),
  });
  const mortalRecords = (): Records => ({
    ...records,
    transaction: (run) => {
      die("begin");
      return records.transaction(async (transaction) => {
        const answer = await run(transaction);
        die("commit");
        return answer;
      });
    },
  });
  const context = () => ({ knex: catalog.knex, records, connections, log: silentLog });
  const tasks = () => catalog.knex("outbox").orderBy("id");
  const storedIds = async () => {
    const credentials = { properties: {} };
    const found = await store.datasets({ credentials, signal: new AbortController().signal });
    return found.map(({ id }) => id);
  };
  const restart = async () => {
    breaksAt = undefined;
    isDead = false;
    await catalog.knex("outbox").update({ due_at: new Date(0) });
    await carryOutDue(context());
    assert.equal(await tasks(), []);
  };

  const call = async (
    resource: string,
    action: "create" | "delete",
    body: Json,
  ): Promise<Json & { readonly id: string }> => {
    const over = mortalRecords();
    const outbox = openOutbox({ ...context(), records: over });
    const kernel = createKernel({ ...context(), catalog, records: over, cipher: catalog.cipher });
    const queries = createQueries({ records, connections, rowFilters: async () => [] });
    const data = dataHandlers({
      records: over,
      connections,
      queries,
      outbox,
      refuseFilteredColumns,
      requests: createPushRequests(catalog),
      log: silentLog,
    });
    const handler = resource === "data" ? data.create : kernel.handlers[resource]?.[action];
    if (!handler) throw new Error(`there is no ${action} ${resource}`);
    try {
      const answer = await handler({
        resource,
        action,
        body,
        principal: ada,
        requestId: randomUUID(),
        address: undefined,
        signal: new AbortController().signal,
      });
      const [row = answer] = (answer as { rows?: readonly unknown[] }).rows ?? [];
      return row as Json & { readonly id: string };
    } finally {
      await outbox.close();
    }
  };
  const push = (properties: Json) => call("data", "create", { properties });
  const failure = (promised: Promise<unknown>) =>
    promised.then(
      () => assert.unreachable("the call succeeded"),
      (refusal: Error) => assert.match(refusal.message, /died/),
    );

  test.before(async () => {
    catalog = await openTestCatalog();
    records = openRecords({ catalog, cipher: catalog.cipher });
    const pair = await ensureOwner({ records, key: undefined, token: undefined });
    ada = await authenticate({ catalog, cipher: catalog.cipher }, { ...pair });
  });
  test.after(() => catalog.close());

  const named = (requestId: string, properties: Json) =>
    call("data", "create", { request_id: requestId, properties });
  const refusalOf = (promised: Promise<unknown>): Promise<ApiError> =>
    promised.then(
      () => {
        throw new Error("the call succeeded");
      },
      (refusal: ApiError) => refusal,
    );

  test("repeating a push with its id returns the first response, or 409 if the body differs", async () => {
    const made = await named("made", { type: "create", data: [["a", 1]] });
    assert.equal(await named("made", { data: [["a", 1]], type: "create" }), made);
    const append = { securable_id: made.id, data: [["b", 2]] };
    const first = await named("append", append);
    await push({ securable_id: made.id, data: [["c", 3]] });
    assert.equal(await named("append", append), first);
    assert.is(store.rowsOf(made.id)?.length, 3);
    const other = await refusalOf(named("append", { ...append, data: [["b", 3]] }));
    assert.is(other.code, "REQUEST_ID_USED");
    assert.is(other.status, 409);
    assert.match(other.message, /request_id append was used for another push/);
    const refused = await refusalOf(named("no spaces", append));
    assert.is(refused.code, "MEMBER_INVALID");
  });

  test("a corrected push can reuse the id of a refused push", async () => {
    const made = await push({ type: "create", data: [["a", 1]] });
    const wrong = { securable_id: made.id, data: [["b", "no number"]] };
    assert.is((await refusalOf(named("mended", wrong))).code, "DATA_CELL_INVALID");
    await named("mended", { ...wrong, data: [["b", 2]] });
    assert.is(store.rowsOf(made.id)?.length, 2);
  });

  test("when two hosts receive the same push, one runs it and the other asks the client to retry", async () => {
    const made = await push({ type: "create", data: [["a", 1]] });
    const append = { securable_id: made.id, data: [["b", 2]] };
    let twin: ApiError | undefined;
    onWrite = async () => {
      onWrite = async () => undefined;
      twin = await refusalOf(named("twins", append));
    };
    const answered = await named("twins", append);
    assert.is(twin?.code, "PUSH_UNDER_WAY");
    assert.is(twin?.retryAfterS, 1);
    assert.equal(await named("twins", append), answered);
    assert.is(store.rowsOf(made.id)?.length, 2);
  });

  for (const step of ["begin", "before append", "after append", "commit"] as const)
    test(`an append with an id is stored once when it is repeated after its host died at "${step}"`, async () => {
      const made = await push({ type: "create", data: [["a", 1]] });
      const append = { securable_id: made.id, data: [["b", 2]] };
      breaksAt = step;
      await failure(named(`append ${step}`.replaceAll(" ", "_"), append));
      await restart();
      const again = await named(`append ${step}`.replaceAll(" ", "_"), append);
      assert.is(again["rows"], 2);
      assert.is(store.rowsOf(made.id)?.length, 2);
      const sizes = await catalog.knex("datasetsize").where({ securable_id: made.id });
      assert.ok(sizes.length <= 1);
    });

  test("after the host of a replace died, the recorded size of the dataset follows its rows", async () => {
    const made = await push({ type: "create", data: [["a", 1]] });
    await catalog.knex("datasetsize").insert({ securable_id: made.id, byte_count: 100 });
    breaksAt = "commit";
    const rows = [1, 2, 3].map((each) => ["b", each]);
    await failure(push({ type: "replace", securable_id: made.id, data: rows }));
    await restart();
    const [size] = await catalog.knex("datasetsize").where({ securable_id: made.id });
    assert.is(Number(size?.byte_count), 300);
    assert.is((await records.find("securable", { id: made.id }))[0]?.rows, 3);
  });

  for (const step of ["after create", "after append", "commit"] as const)
    test(`a create call with an id runs once when it is repeated after its host died at "${step}"`, async () => {
      const id = `create_${step}`.replaceAll(" ", "_");
      const before = (await records.find("securable", {})).length;
      breaksAt = step;
      await failure(named(id, { type: "create", data: [["a", 1]] }));
      await restart();
      const made = await named(id, { type: "create", data: [["a", 1]] });
      assert.equal(await named(id, { type: "create", data: [["a", 1]] }), made);
      assert.is((await records.find("securable", {})).length, before + 1);
      assert.is(store.rowsOf(made.id)?.length, 1);
    });

  test("repeating an append whose host died fails and stores nothing if other rows were pushed meanwhile", async () => {
    const made = await push({ type: "create", data: [["a", 1]] });
    const append = { securable_id: made.id, data: [["b", 2]] };
    breaksAt = "after append";
    // Between this host's check of the store and its write, another host pushes similar rows.
    onWrite = async (write) => {
      onWrite = async () => undefined;
      const { signal } = new AbortController();
      await store.write?.({ write, credentials: { properties: {} }, signal });
    };
    await failure(named("among", append));
    await restart();
    const refusal = await refusalOf(named("among", append));
    assert.is(refusal.code, "PUSH_UNCERTAIN");
    assert.is(store.rowsOf(made.id)?.length, 3);
  });

  test("the id of a push is kept for a day and belongs to one token", async () => {
    const body = { type: "create", data: [["a", 1]] };
    const made = await named("daily", body);
    const own = { request_id: "daily", authorization_id: ada.authorizationId };
    const stored = () => catalog.knex("push_request").where(own);
    assert.is((await stored()).length, 1);
    const past = catalog.knex.raw("clock_timestamp() - interval '25 hours'");
    await stored().update({ created_at: past });
    const again = await named("daily", body);
    assert.is.not(again.id, made.id);
    await stored().update({ authorization_id: randomUUID() });
    assert.is.not((await named("daily", body)).id, again.id);
  });

  const steps: readonly Step[] = [
    "begin",
    "before create",
    "after create",
    "before append",
    "after append",
    "commit",
  ];
  for (const step of steps)
    test(`a create call whose host dies at "${step}" leaves no record and no rows after the next start`, async () => {
      const before = { records: await records.find("securable", {}), stored: await storedIds() };
      breaksAt = step;
      await failure(push({ type: "create", data: [["a", 1]] }));
      await restart();
      assert.equal(await records.find("securable", {}), before.records);
      assert.equal(await storedIds(), before.stored);
    });

  for (const step of ["begin", "before append", "after append", "commit"] as const)
    test(`after a host dies at "${step}" of an append, the record's row count equals the stored rows`, async () => {
      const made = await push({ type: "create", data: [["a", 1]] });
      breaksAt = step;
      await failure(push({ securable_id: made.id, data: [["b", 2]] }));
      await restart();
      const [record] = await records.find("securable", { id: made.id });
      const isWritten = step !== "before append";
      assert.is(store.rowsOf(made.id)?.length, isWritten ? 2 : 1);
      assert.is(record?.["rows"], isWritten ? 2 : 1);
    });

  for (const step of ["before replace", "after replace", "commit"] as const)
    test(`after a host dies at "${step}" of replacing columns, the store has every column of the record`, async () => {
      const options = { header: ["city", "km"], update_metadata: true };
      const made = await push({ type: "create", data: [["a", 1]], options });
      breaksAt = step;
      const reshaped = { header: ["city", "day"], update_metadata: true };
      const data = [["b", "2024-01-01"]];
      await failure(push({ type: "replace", securable_id: made.id, data, options: reshaped }));
      await restart();
      const columns = await records.find("column", { securable_id: made.id });
      assert.equal(columns.map((column) => column["source_name"]).toSorted(), ["city", "km"]);
      const credentials = { properties: {} };
      const [stored] = (
        await store.datasets({ credentials, signal: new AbortController().signal })
      ).filter(({ id }) => id === made.id);
      const ids = stored?.columns.map(({ id }) => id) ?? [];
      assert.ok(columns.every(({ id }) => ids.includes(id)));
    });

  test("a replace whose host dies after the write invalidates cached answers, even if the row count stays equal", async () => {
    const made = await push({ type: "create", data: [["a", 1]] });
    breaksAt = "after replace";
    await failure(push({ type: "replace", securable_id: made.id, data: [["b", 2]] }));
    await restart();
    const [record] = await records.find("securable", { id: made.id });
    assert.is(record?.["rows"], 1);
    assert.is.not(record?.["shared_storage_version"], made["shared_storage_version"]);
    assert.type(made["shared_storage_version"], "string");
  });

  for (const step of ["commit", "before drop", "after drop"] as const)
    test(`deleting a dataset completes or has no effect if its host dies at "${step}"`, async () => {
      const made = await push({ type: "create", data: [["a", 1]] });
      breaksAt = step;
      // Once the deletion is committed, the call succeeds, whatever happens to the rows.
      if (step === "commit") await failure(call("securable", "delete", { id: made.id }));
      else await call("securable", "delete", { id: made.id });
      const isThere = step === "commit";
      assert.is((await records.find("securable", { id: made.id })).length, isThere ? 1 : 0);
      assert.is((await tasks()).length, isThere ? 0 : 1);
      await restart();
      assert.is((await records.find("column", { securable_id: made.id })).length, isThere ? 2 : 0);
      assert.is((await storedIds()).includes(made.id), isThere);
    });

  for (const step of ["commit", "before alter", "after alter"] as const)
    test(`if the host dies at "${step}" of deleting a column, its record and values are both gone or both kept`, async () => {
      const made = await push({ type: "create", data: [["a", 1]] });
      const [first] = await records.find("column", { securable_id: made.id });
      breaksAt = step;
      const deleted = call("column", "delete", { id: first?.id });
      await (step === "commit" ? failure(deleted) : deleted);
      await restart();
      const credentials = { properties: {} };
      const stored = await store.datasets({ credentials, signal: new AbortController().signal });
      const ids = stored.find(({ id }) => id === made.id)?.columns.map(({ id }) => id) ?? [];
      assert.is(ids.includes(String(first?.id)), step === "commit");
      assert.is(
        (await records.find("column", { id: first?.id })).length,
        step === "commit" ? 1 : 0,
      );
    });

  test("a failed task is postponed with its error, and later tasks run", async () => {
    const [one, other] = [
      await push({ type: "create", data: [["a"]] }),
      await push({ type: "create", data: [["b"]] }),
    ];
    breaksAt = "before drop";
    await call("securable", "delete", { id: one?.id });
    const [put] = await tasks();
    assert.is(put?.attempt_count, 1);
    assert.match(put?.problem, /died/);
    assert.ok(put?.due_at.getTime() > Date.now());
    breaksAt = undefined;
    isDead = false;
    await call("securable", "delete", { id: other?.id });
    assert.is((await tasks()).length, 1);
    assert.not.ok((await storedIds()).includes(String(other?.id)));
    await restart();
    assert.not.ok((await storedIds()).includes(String(one?.id)));
  });

  test("a push keeps no connection to the catalog while the store writes", async () => {
    const made: string[] = [];
    for (let count = 0; count < 25; count++)
      made.push((await push({ type: "create", data: [["a"]] })).id);
    const { promise: all, resolve } = Promise.withResolvers<void>();
    let writing = 0;
    onWrite = async () => {
      // This number exceeds the connections of both pools.
      if (++writing === made.length) resolve();
      await all;
    };
    await Promise.all(made.map((id) => push({ securable_id: id, data: [["b"]] })));
    onWrite = async () => undefined;
    const counts = (await records.find("securable", { id: made })).map((record) => record["rows"]);
    assert.equal(counts, Array(25).fill(2));
  });

  test("a dataset that is deleted during a push is removed from the catalog and the store", async () => {
    const made = await push({ type: "create", data: [["a", 1]] });
    const { promise: writes, resolve: startWrite } = Promise.withResolvers<void>();
    const { promise: goOn, resolve: endWrite } = Promise.withResolvers<void>();
    onWrite = async ({ action }) => {
      if (action !== "append") return;
      startWrite();
      await goOn;
    };
    const pushed = push({ securable_id: made.id, data: [["b", 2]] }).then(
      () => assert.unreachable("the push succeeded"),
      (refusal: Error) => assert.match(refusal.message, /there is no securable/),
    );
    await writes;
    const deleted = call("securable", "delete", { id: made.id });
    while ((await records.find("securable", { id: made.id })).length > 0) await pause(5);
    endWrite();
    await Promise.all([pushed, deleted]);
    onWrite = async () => undefined;
    assert.not.ok((await storedIds()).includes(made.id));
    assert.equal(await tasks(), []);
  });

  test("a column that is added during a replace is stored after the replace", async () => {
    const options = { header: ["city"], update_metadata: true };
    const made = await push({ type: "create", data: [["a"]], options });
    let columnId = "";
    onWrite = async ({ action }) => {
      if (action !== "replace") return;
      const associations = [{ role: "Securable", id: made.id }];
      const properties = { type: "numeric", name: { en: "km" }, order: 1 };
      columnId = (await call("column", "create", { properties, associations })).id;
    };
    const reshaped = { header: ["town"], update_metadata: true };
    await push({ type: "replace", securable_id: made.id, data: [["b"]], options: reshaped });
    onWrite = async () => undefined;
    await carryOutDue(context());
    const credentials = { properties: {} };
    const stored = await store.datasets({ credentials, signal: new AbortController().signal });
    const ids = stored.find(({ id }) => id === made.id)?.columns.map(({ id }) => id) ?? [];
    assert.is(ids.length, 2);
    assert.ok(ids.includes(columnId));
  });

  test("the next start completes a killed host's last deletion without waiting for its lease", async () => {
    for (const id of await storedIds()) await call("securable", "delete", { id });
    const { id } = await push({ type: "create", data: [["a", 1]] });
    breaksAt = "before drop";
    await call("securable", "delete", { id });
    breaksAt = undefined;
    isDead = false;
    assert.equal(await storedIds(), [id]);
    const outbox = openOutbox(context());
    await outbox.carryOut();
    assert.is((await tasks()).length, 1, "the task is not due");
    await reconcileStore({ records, connections, outbox });
    await outbox.close();
    assert.equal(await storedIds(), []);
    await restart();
  });
});
