import type { Principal } from "../../../../../core/base/contracts/index.ts";
import * as assert from "uvu/assert";
import { authenticate } from "../../../../../core/identity/access/index.ts";
import { createKernel, openRecords, type Kernel } from "../../../../../core/resources/index.ts";
import { fillCatalog, sizeOf } from "../../../../bench/catalog/fillCatalog.ts";
import { idOf, pagesOf, type Caller, type Page } from "../../../../bench/catalog/pages.ts";
import { findLongScans, sentDuring } from "../../../../bench/catalog/plans.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../../../support/catalog.ts";
import { rounds } from "../../../../support/layer.ts";
import { createPlainConnections } from "../../../../support/plainConnections.ts";
import { createPlainPlugin } from "../../../../support/plainPlugin.ts";
import { suite } from "../../../../support/suite.ts";

const seed = 1;
const size = sizeOf(rounds({ quick: 2_000, deep: 10_000 }));

interface Found {
  readonly count: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

suite("core/resources/kernel/find: plans of its statements", (test) => {
  let catalog: TestCatalog;
  let kernel: Kernel;
  const principals = new Map<Caller, Principal>();
  test.before(async () => {
    catalog = await openTestCatalog();
    await fillCatalog(catalog.knex, seed, size);
    const { cipher } = catalog;
    const plain = { store: createPlainPlugin(), scratch: createPlainPlugin(), accounts: {} };
    kernel = createKernel({
      records: openRecords({ catalog, cipher }),
      catalog,
      cipher,
      connections: createPlainConnections(plain),
      log: silentLog,
    });
    for (const [caller, kind, index] of [
      ["owner", "api", 0],
      ["member", "api", 9],
      ["embed", "embed", 7],
    ] as const)
      principals.set(
        caller,
        await authenticate(
          { catalog, cipher },
          { key: idOf(seed, kind, index), token: `token${index}` },
        ),
      );
  });
  test.after(() => catalog.close());

  const get = (
    { resource, find }: Pick<Page, "resource" | "find">,
    caller: Caller,
  ): Promise<Found> => {
    const [handler, principal] = [kernel.handlers[resource]?.get, principals.get(caller)];
    if (!handler || !principal) throw new Error(`${caller} cannot get ${resource}`);
    const signal = new AbortController().signal;
    const call = {
      resource,
      action: "get",
      body: { find },
      principal,
      requestId: "test",
      address: undefined,
      signal,
    } as const;
    return handler(call) as Promise<Found>;
  };

  for (const page of pagesOf(seed))
    for (const caller of page.callers)
      test(`${page.name}, ${caller}: the find never scans a whole table, and runs one statement per include`, async () => {
        const { rows } = await get(page, caller);
        const sent = await sentDuring(catalog.knex, () => get(page, caller));
        // Counting a page without rows takes a separate statement, unless no further rows are possible.
        const most = rows.length > 0 ? 1 + includeCount(page.find) : 2;
        assert.ok(sent.length > 0 && sent.length <= most, `${sent.length} statements`);
        const scans = await findLongScans(catalog.knex, sent, {
          longRowCount: 100,
          avoidsScans: true,
        });
        assert.equal(
          scans.map(({ table, sql }) => `${table}: ${sql}`),
          [],
        );
      });

  test("the check of query plans detects a condition without an index", async () => {
    const sent = [{ sql: "select id from securable where name is null", bindings: [] }];
    const scans = await findLongScans(catalog.knex, sent, { longRowCount: 100, avoidsScans: true });
    assert.equal(
      scans.map(({ table }) => table),
      ["securable"],
    );
  });

  test("a `find` counts the rows of all pages, whatever the limit and offset", async () => {
    for (const [index, { name, resource, find, callers }] of pagesOf(seed).entries()) {
      // In the quick layer, the callers take turns.
      const inTurn = callers.filter((_, at) => at === index % callers.length);
      for (const caller of rounds({ quick: inTurn, deep: callers })) {
        const { limit: _, offset: __, include, ...rest } = find;
        const inner = Array.isArray(include)
          ? include.filter((each) => each.jointype === "inner")
          : [];
        const whole = await get({ resource, find: { ...rest, include: inner } }, caller);
        assert.is(whole.count, whole.rows.length, `${name}, ${caller}`);
        const ids: unknown[] = [];
        for (let at = 0; at <= whole.count; at += 97) {
          const paged = { ...rest, include: inner, limit: 97, offset: at };
          const part = await get({ resource, find: paged }, caller);
          assert.is(part.count, whole.count, `${name}, ${caller}, from ${at}`);
          ids.push(...part.rows.map(({ id }) => id));
        }
        assert.equal(
          ids,
          whole.rows.map(({ id }) => id),
          `${name}, ${caller}`,
        );
        const none = await get({ resource, find: { ...rest, include: inner, limit: 0 } }, caller);
        assert.equal([none.count, none.rows], [whole.count, []], `${name}, ${caller}`);
      }
    }
  });
});

function includeCount({ include = [] }: Readonly<Record<string, unknown>>): number {
  const includes = include as readonly (string | Readonly<Record<string, unknown>>)[];
  return includes.reduce(
    (count, each) => count + 1 + (typeof each === "string" ? 0 : includeCount(each)),
    0,
  );
}
