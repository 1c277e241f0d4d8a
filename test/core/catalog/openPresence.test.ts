import * as assert from "uvu/assert";
import { openPresence, presentKeys, type Presence } from "../../../core/catalog/index.ts";
import { openTestCatalog, type TestCatalog } from "../../support/catalog.ts";
import { suite } from "../../support/suite.ts";
import { silentLog } from "../../support/testServer.ts";

suite("core/catalog/openPresence", (test) => {
  let catalog: TestCatalog;
  const opened: Presence[] = [];
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(async () => {
    for (const presence of opened) await presence.close();
    await catalog.close();
  });
  /**
   * Opens presences with a clock that the test controls. `look` runs the pending work, and resolves when the presence
   * starts to wait again.
   */
  const open = async () => {
    let waiting = () => {};
    let begun = Promise.withResolvers<void>();
    const after = (run: () => void) => {
      waiting = run;
      begun.resolve();
      return () => undefined;
    };
    const presence = await openPresence({ ...catalog, log: silentLog, after });
    opened.push(presence);
    const look = async () => {
      begun = Promise.withResolvers<void>();
      waiting();
      await begun.promise;
    };
    return { presence, look };
  };
  const present = async (): Promise<readonly number[]> => {
    const { rows } = await catalog.knex.raw(presentKeys);
    return rows.map(({ objid }: { objid: string }) => Number(objid));
  };
  const until = async (holds: () => Promise<boolean>) => {
    while (!(await holds()));
  };

  test("each host has its own presence key, which disappears when its database session ends", async () => {
    const { presence: one } = await open();
    const { presence: other } = await open();
    assert.is.not(one.key, other.key);
    const seen = await present();
    assert.ok(seen.includes(one.key) && seen.includes(other.key));
    await one.close();
    await until(async () => !(await present()).includes(one.key));
    assert.ok((await present()).includes(other.key));
  });

  test("after the server closes a host's database session, the host opens a new session with the same presence key", async () => {
    const { presence, look } = await open();
    await catalog.knex.raw(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = ?::bigint::oid",
      [presence.key],
    );
    await until(async () => !(await present()).includes(presence.key));
    await look();
    // The first check may find that the session is lost, and the second check opens a new session.
    if (!(await present()).includes(presence.key)) await look();
    assert.ok((await present()).includes(presence.key));
  });

  test("an unrelated advisory lock with the same number does not count as the presence of a host", async () => {
    const before = await present();
    await catalog.knex.transaction(async (transaction) => {
      await transaction.raw("select pg_advisory_xact_lock(77), pg_advisory_xact_lock(1, 77)");
      assert.equal(await present(), before);
    });
  });
});
