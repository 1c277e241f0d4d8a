import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { claimStore } from "../../../../core/sources/data/claimStore.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../../support/catalog.ts";
import { openTestHost, testOptions } from "../../../support/openTestHost.ts";
import { openHost } from "../../../../core/host.ts";
import { suite } from "../../../support/suite.ts";

const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error("it was not refused");
    },
    (failure: Error) => failure,
  );

suite("core/sources/data/claimStore", (test) => {
  let catalog: TestCatalog;
  const folders: string[] = [];
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), "manifold-claim-"));
    folders.push(made);
    return made;
  };
  let looks: (() => void)[] = [];
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.beforeEach(async () => {
    await catalog.knex("store_host").delete();
    looks = [];
  });
  test.after(async () => {
    await catalog.close();
    for (const each of folders) rmSync(each, { recursive: true, force: true });
  });
  const claim = (dataDir: string) =>
    claimStore({
      knex: catalog.knex,
      store: "strata",
      dataDir,
      log: silentLog,
      every(run) {
        looks.push(run);
        return () => undefined;
      },
    });
  const expire = () => catalog.knex("store_host").update({ expires_at: new Date(0) });

  test("a second host on another folder does not start before the first stops, and the error says what to do", async () => {
    const [first, second] = [folder(), folder()];
    const held = await claim(first);
    const refusal = await failureOf(claim(second));
    assert.match(refusal.message, first);
    assert.match(refusal.message, "MANIFOLD_STORE=clickhouse");
    assert.match(refusal.message, "DATABASE_URL");
    assert.match(refusal.message, /start again in \d+ s/);
    await held.close();
    const next = await claim(second);
    await next.close();
  });

  test("a killed host can restart on its folder at once, and a host on another folder once the claim expires", async () => {
    const [first, second] = [folder(), folder()];
    const killed = await claim(first);
    await claim(first);
    await failureOf(claim(second));
    await expire();
    const next = await claim(second);
    await next.check();
    // The first host is still running and notices that it has lost the catalog.
    looks[0]?.();
    await killed.close();
    assert.match(
      (await failureOf(killed.check())).message,
      "another host has taken over the catalog",
    );
    await next.check();
  });

  test("if several hosts start at once on separate folders, only one of them gets the catalog", async () => {
    const settled = await Promise.allSettled([folder(), folder(), folder()].map(claim));
    assert.is(settled.filter(({ status }) => status === "fulfilled").length, 1);
  });

  test.deep(
    "a host that finds another host with Strata on its catalog does not start, and closes whatever it opened",
    async () => {
      const first = await openTestHost({ warmUp: false, databaseUrl: catalog.databaseUrl });
      try {
        const refusal = await failureOf(
          openHost({
            ...testOptions,
            dataDir: folder(),
            databaseUrl: catalog.databaseUrl,
            warmUp: false,
          }),
        );
        assert.match(refusal.message, "MANIFOLD_STORE=clickhouse");
      } finally {
        await first.close();
      }
    },
  );
});
