import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import {
  readEnds,
  removeEvents,
  verifyAudit,
  writeAudits,
  type VerifiedChain,
} from "../../../../core/catalog/audit/index.ts";
import { createCipher } from "../../../../core/catalog/index.ts";
import { nobody, type Principal, type Records } from "../../../../core/base/contracts/index.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

suite("core/catalog/audit/verifyAudit", (test) => {
  let catalog: TestCatalog;
  let records: Records;
  test.before(async () => {
    catalog = await openTestCatalog();
    records = openRecords({ catalog, cipher: catalog.cipher });
  });
  test.after(() => catalog.close());

  const personOf = (organizationId: string): Principal => ({
    authorizationId: randomUUID(),
    authorizationType: "api",
    userId: randomUUID(),
    organizationId,
    organizationRole: "owner",
    name: "Ada",
    email: "ada@example.org",
  });
  const write = (organizationId: string, count: number, run?: () => Promise<void>) =>
    records.transaction(async (transaction) => {
      const changes = Array.from({ length: count }, (_, index) => ({
        action: "update" as const,
        resource: "tag",
        recordId: `record ${index}`,
        members: ["b", "a"],
        ...(index % 2 === 0 && {
          target: { role: "Tags", resource: "securable", id: randomUUID() },
        }),
      }));
      const actor = { principal: personOf(organizationId), address: undefined };
      await writeAudits(records, actor, changes, transaction);
      await run?.();
    });
  const verify = async (
    organizationId: string,
    more: Partial<Parameters<typeof verifyAudit>[0]> = {},
  ): Promise<VerifiedChain> => {
    const { knex, cipher } = catalog;
    const given = { knex, markKeys: cipher.markKeys, organizationId, ...more };
    const [found] = await Array.fromAsync(verifyAudit(given));
    if (!found) throw new Error("the organization has no chain");
    return found;
  };
  /** Runs statements without firing triggers, as a person with access to the database could do. */
  const byHand = (sql: string, bindings: Readonly<Record<string, string | number>>) =>
    catalog.transactions.transaction(async (transaction) => {
      await transaction.raw("set local session_replication_role = replica");
      const { rowCount } = await transaction.raw(sql, bindings);
      assert.ok(rowCount > 0, sql);
    });
  const idAt = async (organization: string, place: number): Promise<string> => {
    const row = await catalog
      .knex("auditevent")
      .where({ organization_id: organization, place })
      .first("id");
    return String(row?.id);
  };

  test("events are verified in order, whether one or several statements wrote them", async () => {
    const organization = randomUUID();
    await write(organization, 3);
    await write(organization, 1);
    const { broken, place, checkedCount, hash } = await verify(organization);
    assert.equal([broken, place, checkedCount], [undefined, 4, 4]);
    assert.match(hash, /^[0-9a-f]{64}$/);
  });

  test("verifying the audit detects a change to any member of an event and names the event", async () => {
    const organization = randomUUID();
    await write(organization, 5);
    const id = await idAt(organization, 3);
    const before = await catalog.knex("auditevent").where({ id }).first();
    const columns = Object.keys(before);
    assert.ok(columns.length >= 17, columns.join());
    const others: Readonly<Record<string, string>> = {
      id: randomUUID(),
      organization_id: randomUUID(),
      user_id: randomUUID(),
      authorization_id: randomUUID(),
      created_at: "2020-01-01T00:00:00Z",
      updated_at: "2020-01-01T00:00:00Z",
      members: '["a","b"]',
      target: '{"role":"Other"}',
      times: "7",
      place: "99",
    };
    for (const column of columns) {
      const value = others[column] ?? "forged";
      await byHand(`update auditevent set ${column} = :value where id = :id`, { value, id });
      const { broken } = await verify(organization);
      assert.ok(broken, column);
      const isMoved = ["id", "organization_id", "place"].includes(column);
      if (!isMoved) assert.is(broken.id, id, column);
      const restored = before[column];
      const stored =
        restored !== null && typeof restored === "object" && !(restored instanceof Date)
          ? JSON.stringify(restored)
          : restored;
      await catalog.transactions.transaction(async (transaction) => {
        await transaction.raw("set local session_replication_role = replica");
        await transaction("auditevent")
          .where({ id: column === "id" ? value : id })
          .update({ [column]: stored });
      });
      assert.is((await verify(organization)).broken, undefined, `${column} is unchanged`);
    }
  });

  test("verifying the audit detects removed, inserted and swapped events", async () => {
    const forgeries: readonly (readonly [string, string, RegExp, number])[] = [
      [
        "one removed",
        "delete from auditevent where organization_id = :o and place = 3",
        /missing/,
        3,
      ],
      [
        "the first event removed",
        "delete from auditevent where organization_id = :o and place = 1",
        /missing/,
        1,
      ],
      [
        "the last event removed",
        "delete from auditevent where organization_id = :o and place = 6",
        /missing/,
        6,
      ],
      ["all removed", "delete from auditevent where organization_id = :o", /1 to 6 are missing/, 1],
      [
        "two swapped",
        "update auditevent set place = 7 - place where organization_id = :o and place in (3, 4)",
        /was moved/,
        3,
      ],
      [
        "two events swapped with their hashes",
        `update auditevent e set place = f.place, hash = f.hash from auditevent f
          where e.organization_id = :o and f.organization_id = :o
            and e.place in (3, 4) and f.place in (3, 4) and e.place <> f.place`,
        /was moved/,
        3,
      ],
      [
        "the end of the chain moved back",
        "update audit_chain set place = 5 where organization_id = :o",
        /beyond the end/,
        6,
      ],
      [
        "the end of the chain removed",
        "delete from audit_chain where organization_id = :o",
        /end of this chain/,
        0,
      ],
      [
        "a forged anchor",
        `insert into audit_anchor values (:o, 2, (select hash from auditevent where organization_id = :o and place = 2),
           2, now(), 'v1.00000000.00')`,
        /anchor/,
        2,
      ],
    ];
    for (const [name, sql, problem, place] of forgeries) {
      const organization = randomUUID();
      await write(organization, 6);
      // PostgreSQL checks the unique index on places row by row, even within a statement.
      await catalog.transactions.transaction(async (transaction) => {
        await transaction.raw("set local session_replication_role = replica");
        if (name.startsWith("two")) {
          await transaction.raw("drop index auditevent_by_place");
          await transaction.raw(sql, { o: organization });
          await transaction.raw(
            "create unique index auditevent_by_place on auditevent (organization_id, place) where place is not null",
          );
        } else await transaction.raw(sql, { o: organization });
      });
      const { broken } = await verify(organization);
      assert.match(broken?.problem ?? "", problem, name);
      assert.is(broken?.place, place, name);
    }
  });

  test("verifying the audit detects an event that was inserted by hand, whether or not triggers ran", async () => {
    const copied = `insert into auditevent (id, organization_id, user_id, authorization_id, action, resource, record_id,
        members, created_at, updated_at, digest)
      select gen_random_uuid(), organization_id, user_id, authorization_id, action, resource, record_id, members,
        created_at, updated_at, digest from auditevent where organization_id = :o and place = 2`;
    const organization = randomUUID();
    await write(organization, 3);
    await catalog.knex.raw(copied, { o: organization });
    await write(organization, 1);
    const chained = await verify(organization);
    assert.is(chained.broken?.place, 4);
    assert.match(chained.broken?.problem ?? "", /content of this event was changed/);
    const unsigned = randomUUID();
    await write(unsigned, 3);
    await catalog.knex.raw(copied.replace("updated_at, digest from", "updated_at, null from"), {
      o: unsigned,
    });
    assert.match((await verify(unsigned)).broken?.problem ?? "", /no digest/);
    const loose = randomUUID();
    await write(loose, 3);
    await byHand(copied, { o: loose });
    assert.match((await verify(loose)).broken?.problem ?? "", /without a position were added/);
  });

  test("if the chain's end was stored elsewhere, verifying the audit detects that the newest events were removed", async () => {
    const organization = randomUUID();
    await write(organization, 4);
    const { place, hash } = await verify(organization);
    await write(organization, 2);
    const noted = new Map([[organization, { place, hash }]]);
    assert.is((await verify(organization, { noted })).broken, undefined);
    await byHand("delete from auditevent where organization_id = :o and place > 3", {
      o: organization,
    });
    await byHand(
      `update audit_chain set place = 3,
         hash = (select hash from auditevent where organization_id = :o and place = 3) where organization_id = :o`,
      { o: organization },
    );
    assert.is((await verify(organization)).broken, undefined);
    const { broken } = await verify(organization, { noted });
    assert.match(broken?.problem ?? "", /existed earlier but are missing now/);
  });

  test("verifying the audit reports events that were signed with another secret", async () => {
    const organization = randomUUID();
    await write(organization, 1);
    const { markKeys } = createCipher("another secret for tests only");
    const { broken } = await verify(organization, { markKeys });
    assert.match(broken?.problem ?? "", /MANIFOLD_SECRET/);
  });

  test("the chain of events has no gaps after concurrent writes of several hosts and rolled-back transactions", async () => {
    const organizations = [randomUUID(), randomUUID()];
    const other = openRecords({ catalog, cipher: catalog.cipher });
    let expected = 0;
    const count = rounds({ quick: 30, deep: 400 });
    const work = Array.from({ length: count }, async (_, round) => {
      const organization = organizations[round % 2] ?? "";
      const isKept = round % 5 !== 0;
      if (isKept) expected += 1 + (round % 3);
      const writing = (round % 4 < 2 ? records : other).transaction(async (transaction) => {
        const principal = personOf(organization);
        const change = { action: "update", resource: "tag", recordId: String(round) } as const;
        const changes = Array.from({ length: 1 + (round % 3) }, () => change);
        // Some transactions increase the catalog's version before they write the event, and others afterwards.
        const raise = () =>
          transaction.raw(
            "update currency set updated_at = now() where id = (select id from currency order by id offset ? limit 1)",
            [round % 100],
          );
        if (round % 6 === 1) await raise();
        await writeAudits(records, { principal, address: undefined }, changes, transaction);
        if (round % 6 === 2) await raise();
        if (!isKept) throw new Error("rolled back");
      });
      const outcome = await writing.then(
        () => "",
        (failure: unknown) => String(failure),
      );
      assert.is(outcome, isKept ? "" : "Error: rolled back");
    });
    await Promise.all(work);
    const chains = await Promise.all(organizations.map((each) => verify(each)));
    assert.equal(
      chains.map(({ broken }) => broken),
      [undefined, undefined],
    );
    assert.is(
      chains.reduce((sum, { place }) => sum + place, 0),
      expected,
    );
  });

  test("after old events are removed, an anchor keeps the rest of the chain valid", async () => {
    const organization = randomUUID();
    await write(organization, 6);
    await byHand(
      `update auditevent set created_at = '2001-01-01' where organization_id = :o and place <= 4`,
      { o: organization },
    );
    const { knex, cipher } = catalog;
    const parts = { knex: catalog.transactions, cipher, now: () => new Date() };
    assert.is(await removeEvents(new Date("2002-01-01"), parts), 4);
    const { broken, removedCount, checkedCount, place } = await verify(organization);
    assert.equal([broken, removedCount, checkedCount, place], [undefined, 4, 2, 6]);
    assert.is(await removeEvents(new Date("2002-01-01"), parts), 0);
    await write(organization, 2);
    assert.is((await verify(organization)).broken, undefined);
    await byHand("delete from auditevent where organization_id = :o and place = 5", {
      o: organization,
    });
    assert.is((await verify(organization)).broken?.place, 5);
    const all = await readEnds(knex);
    assert.ok(all.some((end) => end.organizationId === organization));
    // Even if all events are removed, the chain continues from its end.
    const whole = randomUUID();
    await write(whole, 2);
    await removeEvents(new Date(Date.now() + 60_000), parts);
    await write(whole, 1);
    const rest = await verify(whole);
    assert.equal([rest.broken, rest.place, rest.checkedCount], [undefined, 3, 1]);
  });

  test("verifying the audit detects an event without a position, even after old events are removed", async () => {
    const organization = randomUUID();
    await write(organization, 2);
    const id = randomUUID();
    await catalog.transactions.transaction(async (transaction) => {
      await transaction.raw("set local session_replication_role = replica");
      await transaction("auditevent").insert({
        id,
        organization_id: organization,
        user_id: nobody,
        authorization_id: nobody,
        action: "create",
        resource: "tag",
        record_id: "x",
        members: "[]",
        created_at: new Date(0),
        updated_at: new Date(0),
      });
    });
    const broken = {
      place: 0,
      id,
      problem: "events without a position were added; this is the newest one",
    };
    assert.equal((await verify(organization)).broken, broken);
    const { knex, cipher } = catalog;
    await removeEvents(new Date("2001-01-01"), { knex, cipher, now: () => new Date() });
    assert.equal((await verify(organization)).broken, broken);
  });
});
