import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { ensureOwner } from "../../../../core/identity/access/index.ts";
import { verifyAudit, writeAudit } from "../../../../core/catalog/audit/index.ts";
import { type Cipher, createCipher, keyIdOf } from "../../../../core/catalog/index.ts";
import { nobody, type Records } from "../../../../core/base/contracts/index.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import {
  checkSecrets,
  countByKey,
  isRotating,
  readMarkKeys,
  rotateSecrets,
} from "../../../../core/operating/secrets/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const former = "the former secret of these tests";
const next = "the next secret of these tests";

suite("core/operating/secrets/rotateSecrets", (test) => {
  const old = createCipher(former);
  const changed = createCipher(next, [former]);
  const fresh = createCipher(next);
  const count = rounds({ quick: 230, deep: 1_500 });
  let catalog: TestCatalog;
  let userId: string;
  let lines: string[] = [];
  const log = {
    info: () => undefined,
    error: () => undefined,
    warn: (_: object, message: string) => void lines.push(message),
  };
  const start = (cipher: Cipher) => {
    lines = [];
    return checkSecrets({ catalog, cipher, log });
  };
  const refused = (cipher: Cipher) =>
    start(cipher).then(
      () => "it was not refused",
      (failure: Error) => failure.message,
    );
  const over = (cipher: Cipher): Records => openRecords({ catalog, cipher });
  const addChannels = (cipher: Cipher, size: number) =>
    over(cipher).transaction((transaction) =>
      over(cipher).insertMany(
        "channel",
        Array.from({ length: size }, (_, index) => ({
          name: { en: `Hook ${index}` },
          type: "webhook" as const,
          config: { url: `https://hooks.example.org/${index}` },
          user_id: userId,
        })),
        transaction,
      ),
    );
  const configs = async (cipher: Cipher) =>
    (await over(cipher).find("channel", {})).map(({ config }) => JSON.stringify(config)).toSorted();

  test.before(async () => {
    catalog = await openTestCatalog();
    await start(old);
    await ensureOwner({ records: over(old), key: undefined, token: undefined });
    const [owner] = await over(old).find("user", {});
    userId = String(owner?.id);
    await addChannels(old, count);
    const factor = old.seal("a secret of an app", `second factor ${userId}`);
    await catalog
      .knex("second_factor")
      .insert({ id: userId, user_id: userId, type: "app", name: "Phone", secret: factor });
  });
  test.after(() => catalog.close());

  test("a host with a new secret also needs the former secret, and the error names the key of the missing secret", async () => {
    await start(changed);
    assert.equal(lines, []);
    assert.is(await isRotating(catalog.knex, changed), true);
    assert.is(await isRotating(catalog.knex, old), false);
    const said = await refused(fresh);
    assert.match(said, new RegExp(`\\(key ${old.keyId}\\): .*${count} of channel\\.config`));
    assert.match(said, "MANIFOLD_SECRET_PREVIOUS");
    assert.match(said, "manifold secret rotate");
    assert.not(said.includes(former) || said.includes(next));
  });

  test("a rotation seals every value once with the new secret, without waiting for locked rows", async () => {
    const before = await configs(old);
    const names = new Set((await countByKey(catalog.knex)).keys());
    assert.equal(names, new Set([old.keyId, changed.keyId]));
    const locking = await catalog.knex.transaction();
    const [locked] = await locking("channel").orderBy("id").limit(1).forUpdate();
    const rotating = rotateSecrets(catalog.transactions, changed);
    // The rotation skips the locked row, and returns to it after the other rows.
    const others = `%.${changed.keyId}`;
    while ((await catalog.knex("channel").whereRaw("config not like ?", [others])).length > 1);
    assert.is.not(keyIdOf(String(locked.config)), changed.keyId);
    await locking.commit();
    const rotation = await rotating;
    assert.is(rotation.resealed.get("channel.config"), count);
    assert.is(rotation.resealed.get("second_factor.secret"), 1);
    assert.is(rotation.resealed.get("host_secret.sealed"), 1);
    assert.equal([rotation.lost.size, rotation.others.size], [0, 0]);
    assert.equal(await configs(fresh), before);
    assert.equal([...(await countByKey(catalog.knex)).keys()], [changed.keyId]);
    assert.is(await isRotating(catalog.knex, changed), false);
    const again = await rotateSecrets(catalog.transactions, changed);
    assert.is(again.resealed.size, 0);
  });

  test("the next start finds values that were sealed with the former secret during a rotation", async () => {
    await addChannels(old, 3);
    assert.match(await refused(fresh), "3 of channel.config");
    await start(changed);
    const { resealed } = await rotateSecrets(catalog.transactions, changed);
    assert.is(resealed.get("channel.config"), 3);
    await start(fresh);
    assert.equal(lines, []);
    assert.is((await configs(fresh)).length, count + 3);
  });

  test("an interrupted rotation can continue from any position", async () => {
    const random = createRandom();
    const back = createCipher(former, [next]);
    await start(back);
    const rows: { id: string; config: string }[] = await catalog
      .knex("channel")
      .select("id", "config");
    const some = rows.filter(() => random.chance(0.4));
    for (const { id, config } of some)
      await catalog
        .knex("channel")
        .where({ id })
        .update({ config: back.reseal(config, `channel.config.${id}`) });
    const { resealed, others } = await rotateSecrets(catalog.transactions, back);
    assert.is(resealed.get("channel.config"), rows.length - some.length);
    assert.is(others.size, 0);
    assert.is((await configs(old)).length, rows.length);
    await start(changed);
    await rotateSecrets(catalog.transactions, changed);
    await start(fresh);
  });

  test("audit events marked with the former secret can be verified without this secret, and changes to them are detected", async () => {
    const organizationId = randomUUID();
    for (const cipher of [old, changed]) {
      const principal = {
        authorizationId: nobody,
        authorizationType: "api" as const,
        userId,
        organizationId,
        organizationRole: "owner" as const,
        name: "Ada",
        email: "ada@example.org",
      };
      const change = { action: "update" as const, resource: "tag", recordId: "1" };
      await over(cipher).transaction((transaction) =>
        writeAudit(over(cipher), { principal, address: undefined }, change, transaction),
      );
    }
    const verify = async (markKeys: ReadonlyMap<string, Uint8Array>) =>
      (await Array.fromAsync(verifyAudit({ knex: catalog.knex, markKeys, organizationId })))[0];
    const kept = await readMarkKeys(catalog.knex, fresh);
    assert.equal(
      [(await verify(kept))?.checkedCount, (await verify(kept))?.broken],
      [2, undefined],
    );
    assert.match((await verify(fresh.markKeys))?.broken?.problem ?? "", "another MANIFOLD_SECRET");
    const stranger = createCipher("a secret that never was a host's");
    assert.is((await readMarkKeys(catalog.knex, stranger)).size, 1);
    await catalog.transactions.transaction(async (transaction) => {
      await transaction.raw("set local session_replication_role = replica");
      await transaction("auditevent")
        .where({ organization_id: organizationId, place: 1 })
        .update({ resource: "user" });
    });
    assert.match((await verify(kept))?.broken?.problem ?? "", "content of this event was changed");
  });

  test("a rotation counts and keeps values that neither secret can decrypt", async () => {
    const [row] = await catalog.knex("channel").orderBy("id").limit(1);
    const foreign = createCipher("a secret that nobody has any more");
    const config = foreign.seal("{}", `channel.config.${row.id}`);
    await catalog.knex("channel").where({ id: row.id }).update({ config });
    const { lost, others } = await rotateSecrets(catalog.transactions, changed);
    assert.equal([...lost], [["channel.config", 1]]);
    assert.equal([...others], [[foreign.keyId, 1]]);
    const [kept] = await catalog.knex("channel").where({ id: row.id });
    assert.is(kept.config, config);
    await catalog.knex("channel").where({ id: row.id }).delete();
  });

  test("a host with an entirely different secret warns at every start", async () => {
    const other = createCipher("a wholly other secret of a host");
    await start(other);
    assert.match(lines.join(), /cannot be decrypted: .*of channel\.config/);
    await start(other);
    assert.is(lines.length, 1);
  });
});
