import { setTimeout as wait } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createCatalogMemory, type CatalogMemory } from "../../../core/catalog/index.ts";
import { openRecords, rememberedRecords } from "../../../core/resources/index.ts";
import { openTestCatalog, type TestCatalog } from "../../support/catalog.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

/** Milliseconds after which the host checks the catalog's versions again. */
const vouchedMs = 751;
const small = () => 100;

suite("core/catalog/catalogMemory", (test) => {
  let catalog: TestCatalog;
  let organization_id = "";
  let insertDataset: (storage: string) => Promise<{ id: string; columnId: string }>;
  test.before(async () => {
    catalog = await openTestCatalog();
    const records = openRecords({ catalog, cipher: catalog.cipher });
    organization_id = (await records.insert("organization", { name: { en: "tests" } })).id;
    insertDataset = async (storage) => {
      const name = { en: "tests" };
      const email = `${crypto.randomUUID()}@example.org`;
      const owner_id = (await records.insert("user", { email })).id;
      const dataset = { type: "dataset", name, storage, owner_id } as const;
      const { id } = await records.insert("securable", dataset);
      const column = { securable_id: id, type: "numeric", order: 1, name } as const;
      return { id, columnId: (await records.insert("column", column)).id };
    };
  });
  test.after(async () => catalog.close());

  /** The members of a record that a push updates, each with a changed value. */
  const counted = {
    securable: {
      rows: 5,
      shared_storage_version: crypto.randomUUID(),
      shared_storage_metadata: { numeric: ["a"], hierarchy: [] },
      modified_at: new Date(),
      updated_at: new Date(),
    },
    column: {
      cardinality: 5,
      minimum: 1,
      maximum: 2,
      minBound: 1,
      maxBound: 2,
      updated_at: new Date(),
    },
  };
  const version = async () =>
    Number((await catalog.knex("access_version").first("catalog_version")).catalog_version);
  const structureVersion = async () =>
    Number((await catalog.knex("access_version").first("structure_version")).structure_version);
  const tag = (id: string) => ({
    id,
    organization_id,
    tag: id,
    created_at: new Date(),
    updated_at: new Date(),
  });
  const newId = () => crypto.randomUUID();
  const counting = (memory: CatalogMemory, name: string) => {
    let count = 0;
    const read = async () => ++count;
    return () => memory.remember(name, read, small);
  };

  test("a cached value is found by its name, and concurrent callers share one read of the value", async () => {
    const memory = createCatalogMemory({ catalog });
    const [one, other] = [counting(memory, "one"), counting(memory, "other")];
    assert.equal(await Promise.all([one(), one(), other()]), [1, 1, 1]);
    assert.equal([await one(), await other()], [1, 1]);
  });

  test("after a change on this host, the next call reads the value again", async () => {
    const memory = createCatalogMemory({ catalog });
    const read = counting(memory, "one");
    assert.is(await read(), 1);
    memory.forget();
    assert.equal([await read(), await read()], [2, 2]);
  });

  test("a value that is read while this host changes the catalog is not cached", async () => {
    const memory = createCatalogMemory({ catalog });
    const { promise, resolve } = Promise.withResolvers<string>();
    const early = memory.remember("one", () => promise, small);
    await wait(50);
    memory.forget();
    resolve("old");
    assert.is(await early, "old");
    assert.is(await memory.remember("one", async () => "new", small), "new");
  });

  test("within a second of a change on another host, only the changed values are read again", async () => {
    let nowMs = 0;
    const memory = createCatalogMemory({ catalog, elapsedMs: () => nowMs });
    const read = counting(memory, "one");
    assert.is(await read(), 1);
    nowMs += vouchedMs;
    assert.is(await read(), 1);
    await catalog.knex("tag").insert(tag(newId()));
    nowMs += vouchedMs;
    assert.is(await read(), 2);
  });

  test("a push drops only the cached values that depend on rows, on every host", async () => {
    let nowMs = 0;
    const { id } = await insertDataset("strata");
    const [here, there] = [1, 2].map(() =>
      createCatalogMemory({ catalog, elapsedMs: () => nowMs }),
    ) as [CatalogMemory, CatalogMemory];
    const count = async (memory: CatalogMemory) => {
      const counts = { rows: 0, structure: 0 };
      const read = async () => {
        await memory.remember("rows", async () => ++counts.rows, small, "everything");
        await memory.remember("structure", async () => ++counts.structure, small, "structure");
        return [counts.rows, counts.structure];
      };
      assert.equal(await read(), [1, 1]);
      return read;
    };
    const [readHere, readThere] = [await count(here), await count(there)];
    await catalog.knex("securable").where({ id }).update({ rows: 1 });
    here.lookAgain();
    assert.equal(await readHere(), [2, 1]);
    nowMs += vouchedMs;
    assert.equal(await readThere(), [2, 1]);
    await catalog.knex("securable").where({ id }).update({ rows: 2 });
    here.lookAgain();
    assert.equal(await readHere(), [3, 1]);
    assert.equal(await readThere(), [2, 1]);
    nowMs += vouchedMs;
    assert.equal(await readThere(), [3, 1]);
  });

  test("a push that ends while the catalog's version is read still drops cached values", async () => {
    const memory = createCatalogMemory({ catalog });
    const { id } = await insertDataset("strata");
    const rows = async () => (await catalog.knex("securable").where({ id }).first("rows")).rows;
    const remembered = () => memory.remember("rows", rows, small);
    for (let round = 1; round <= 20; round++) {
      const early = remembered();
      await catalog.knex("securable").where({ id }).update({ rows: round });
      memory.lookAgain();
      const late = remembered();
      assert.ok([round - 1, round, null].includes(await early));
      assert.is(await late, round);
      assert.is(await remembered(), round);
    }
  });

  const updates = [
    ["counts of a dataset that a push updates", "securable", counted.securable, false],
    ["counts of a column that a push updates", "column", counted.column, false],
    ["the store of a dataset", "securable", { storage: "clickhouse", rows: 2 }, true],
    ["the name of a dataset", "securable", { name: { en: "other" } }, true],
    ["the order of a column", "column", { order: 7 }, true],
    ["the type of a column", "column", { type: "hierarchy", cardinality: 3 }, true],
  ] as const;
  for (const [what, table, change, isRaised] of updates)
    test(`changing only ${what} increases ${isRaised ? "both versions" : "only catalog_version"}`, async () => {
      const { id, columnId } = await insertDataset("strata");
      const before = [await version(), await structureVersion()] as const;
      await catalog
        .knex(table)
        .where({ id: table === "column" ? columnId : id })
        .update(change);
      assert.equal(
        [await version(), await structureVersion()],
        [before[0] + 1, before[1] + (isRaised ? 1 : 0)],
      );
    });

  test("changing the row count of a live dataset increases both catalog_version and structure_version", async () => {
    const { id } = await insertDataset("client");
    const before = await structureVersion();
    await catalog.knex("securable").where({ id }).update({ rows: 5 });
    assert.is(await structureVersion(), before + 1);
  });

  test("a failed read is thrown and not cached", async () => {
    const memory = createCatalogMemory({ catalog });
    const broken = () => memory.remember("one", () => Promise.reject(new Error("broken")), small);
    for (const _ of [1, 2])
      assert.is(await broken().catch((failure: Error) => failure.message), "broken");
    assert.is(await memory.remember("one", async () => 1, small), 1);
  });

  test("no cached value is returned while the catalog is unavailable", async () => {
    const broken = Object.assign(() => ({ select: () => Promise.reject(new Error("no catalog")) }));
    const memory = createCatalogMemory({ catalog: { knex: broken as never } });
    const read = counting(memory, "one");
    assert.is(await read().catch((failure: Error) => failure.message), "no catalog");
  });

  test("the cache drops the least recently used values to stay within its size", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const memory = createCatalogMemory({ catalog, sizeBytes: 10_500 });
      let recent: string[] = [];
      for (let step = 0; step < 200; step++) {
        const name = String.fromCodePoint(97 + random.below(20));
        let wasRead = false;
        await memory.remember(
          name,
          async () => {
            wasRead = true;
            return name;
          },
          () => 500,
        );
        await wait(0);
        assert.is(wasRead, !recent.includes(name), `${name} of ${recent}`);
        recent = [name, ...recent.filter((each) => each !== name)].slice(0, 10);
      }
    });
  });

  test("callers share a cached value only if the users and restrictions of the callers are equal", () => {
    const memory = createCatalogMemory({ catalog });
    const ada = {
      userId: "ada",
      restriction: {
        maker: { userId: "owner" },
        securables: new Map([["D", "read"]]),
        parameters: new Map([["tenant", { value: ["a"], clear: false }]]),
        hiddenColumns: new Set(["c"]),
        metadata: undefined,
      },
    };
    const { restriction } = ada;
    const name = memory.nameOf(ada);
    assert.is(memory.nameOf(structuredClone(ada)), name);
    assert.match(name, /^[A-Za-z0-9+/]{43}=$/);
    const others = [
      { ...ada, userId: "bob" },
      { userId: "ada" },
      ...[
        { maker: { userId: "other" } },
        { securables: new Map([["D", "own"]]) },
        { securables: new Map() },
        { parameters: new Map([["tenant", { value: ["b"], clear: false }]]) },
        { parameters: new Map([["tenant", { value: ["a"], clear: true }]]) },
        { hiddenColumns: new Set() },
        { hiddenColumns: new Set(["d"]) },
        { hiddenColumns: ["c"] },
        { metadata: { tenant: 1 } },
      ].map((change) => ({ ...ada, restriction: { ...restriction, ...change } })),
    ].map((other) => memory.nameOf(other));
    assert.is(new Set([name, ...others]).size, others.length + 1);
    assert.throws(
      () => memory.nameOf({ now: () => 1 }),
      (failure: unknown) => failure instanceof TypeError,
    );
  });

  test("a change to any table that queries read increases the catalog's version", async () => {
    const { rows } = await catalog.knex.raw(`
      select tablename from pg_tables where schemaname = current_schema()
      except select c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where t.tgname = 'catalog_changed'`);
    const names: readonly string[] = rows.map((row: { tablename: string }) => row.tablename);
    assert.equal(
      names.toSorted(),
      [
        "access_version",
        // Queries never look up conversations.
        "aiconversation",
        "aimessage",
        "aimessageasset",
        "alert",
        "alertevent",
        // Queries never read counts of model calls.
        "assistant_usage",
        // Queries never look up failed sign-ins.
        "attempt_wait",
        // Queries never look up the audit.
        "audit_anchor",
        "audit_chain",
        "auditevent",
        "authorization",
        "channel",
        "datasetcopy",
        // Each query reads sizes, permits, counts and claims again.
        "datasetsize",
        "delivery",
        "digest",
        "end_user",
        // Queries never look up the files and mails that jobs write.
        "exportevent",
        "exportfile",
        "host_secret",
        "known_device",
        "migration",
        "outbox",
        "owner_recovery",
        // Queries never look up the links with which people choose a password.
        "password_link",
        "provisioned_group",
        "provisioned_user",
        "push_request",
        "quota_place",
        "quota_usage",
        // Queries never look up the tables for authentication.
        "recovery_code",
        "removed_column",
        // Queries never look up saved questions and views.
        "savedquestion",
        "savedview",
        "schedule",
        // Queries never look up the destinations of exports.
        "schedule_channel",
        "second_factor",
        // Queries never look up the secrets that seal values.
        "secret_key",
        "share",
        "sharestatistic",
        "sign_on_identity",
        "sign_on_state",
        // The answer to a query does not depend on which host has its own store.
        "store_host",
        "textmessage_day",
        // Queries never look up the progress of uploads.
        "upload_progress",
        // Queries never look up usage, and ordinary calls write to it.
        "usage_batch",
        "usage_count",
        "usage_viewer",
        "used_challenge",
        "user_password",
      ],
      "a new table needs the trigger catalog_changed, as in core/catalog/schema/versions.ts, or its name here with a reason",
    );
  });

  test("a transaction increases the catalog's version once, when it commits", async () => {
    const { knex } = catalog;
    const [one, other] = [newId(), newId()];
    const before = await version();
    await knex("tag").insert([tag(one), tag(other)]);
    assert.is(await version(), before + 1);
    await knex.transaction(async (transaction) => {
      await transaction("tag").where({ id: one }).update({ tag: "changed" });
      await transaction("tag").where({ id: other }).update({ tag: "changed too" });
    });
    assert.is(await version(), before + 2);
    await knex("tag").whereIn("id", [one]).delete();
    assert.is(await version(), before + 3);
    const failed = knex.transaction(async (transaction) => {
      await transaction("tag").where({ id: other }).delete();
      throw new Error("never mind");
    });
    assert.is(await failed.catch((failure: Error) => failure.message), "never mind");
    assert.is(await version(), before + 3);
  });

  test("a long transaction does not keep other transactions from committing", async () => {
    const { knex } = catalog;
    const [one, other] = [newId(), newId()];
    await knex("tag").insert([tag(one), tag(other)]);
    const open = await knex.transaction();
    await open("tag").where({ id: one }).update({ tag: "long" });
    const second = knex("tag").where({ id: other }).update({ tag: "short" });
    assert.is(await Promise.race([second, wait(60_000, "it waits", { ref: false })]), 1);
    await open.commit();
  });

  test("transactions that change users, tokens and records in any order never deadlock", async () => {
    const { knex } = catalog;
    const ids = Array.from({ length: 4 }, newId);
    await knex("tag").insert(ids.map(tag));
    const users = ids.map((id) => ({
      id,
      name: "u",
      email: `${id}@example.org`,
      created_at: new Date(),
      updated_at: new Date(),
    }));
    await knex("user").insert(users);
    const runs = ids.map((id, index) =>
      knex.transaction(async (transaction) => {
        const steps = [
          () => transaction("user").where({ id }).update({ name: "changed" }),
          () => transaction("tag").where({ id }).update({ tag: "changed" }),
        ];
        for (const step of index % 2 === 0 ? steps : steps.toReversed()) await step();
      }),
    );
    assert.is(
      (await Promise.allSettled(runs)).filter((run) => run.status === "rejected").length,
      0,
    );
  });

  test("cached records always equal the catalog's records, whichever host changes them", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const records = openRecords({ catalog, cipher: catalog.cipher });
      const memory = createCatalogMemory({ catalog });
      const remembered = rememberedRecords(records, memory);
      const ids = Array.from({ length: 5 }, newId);
      for (let step = 0; step < 150; step++) {
        const id = random.pick(ids);
        const [present] = await records.find("tag", { id });
        if (random.chance(0.3)) {
          if (!present) await records.insert("tag", { id, organization_id, tag: `${id} ${step}` });
          else if (random.chance(0.5)) await records.remove("tag", [id]);
          else await records.change("tag", id, { tag: `${id} ${step}` });
          memory.forget();
        }
        const where = { id: random.some(ids, 0.6) };
        const byId = (rows: readonly { readonly id: string }[]) =>
          rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        assert.equal(
          byId(await remembered.find("tag", where)),
          byId(await records.find("tag", where)),
        );
      }
    });
  });

  test("a transaction never reads records from the cache", async () => {
    const records = openRecords({ catalog, cipher: catalog.cipher });
    const remembered = rememberedRecords(records, createCatalogMemory({ catalog }));
    const { id } = await remembered.insert("tag", { organization_id, tag: "before" });
    await remembered.find("tag", { id });
    await records.transaction(async (transaction) => {
      await remembered.change("tag", id, { tag: "after" }, transaction);
      const [inside] = await remembered.find("tag", { id }, transaction);
      assert.is(inside?.["tag"], "after");
    });
  });
});
