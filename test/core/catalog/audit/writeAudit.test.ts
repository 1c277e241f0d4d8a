import * as assert from "uvu/assert";
import type { RecordAction } from "../../../../core/base/contracts/index.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { openTokens, type Tokens } from "../../identity/access/openTokens.ts";
import { suite } from "../../../support/suite.ts";

interface Event {
  readonly id: string;
  readonly action: string;
  readonly resource: string;
  readonly record_id: string;
  readonly members: readonly string[];
  readonly target: { readonly role: string; readonly resource: string; readonly id: string } | null;
  readonly [member: string]: unknown;
}

/** Associations that cannot link the two records of this test. Each has a different reason. */
const refusedPairs = [
  "acceleration Securables",
  "securable Acceleration",
  "securable EmbedFilterGroups",
  "securable Datasets",
  "securable Dashboards",
  "embedfiltergroup Securables",
  "integration Owner",
  "alert User",
];

suite("core/catalog/audit/writeAudit", (test) => {
  let tokens: Tokens;
  test.before(async () => {
    tokens = await openTokens();
  });
  test.after(() => tokens.close());

  const events = async (): Promise<Event[]> => tokens.catalog.knex("auditevent").select("*");
  /** Returns the events that a call has written, and the call's result or error. */
  const written = async <Answer>(run: () => Promise<Answer>) => {
    const before = new Set((await events()).map(({ id }) => id));
    const outcome = await run().then(
      (answer) => ({ answer, failure: undefined }),
      (failure: unknown) => ({ answer: undefined, failure }),
    );
    return { ...outcome, written: (await events()).filter(({ id }) => !before.has(id)) };
  };
  const summary = ({ action, resource, record_id }: Event) => [action, resource, record_id];

  for (const [resource, { actions, fields, ownedBy }] of declarations) {
    const offers = (action: RecordAction) => actions.includes(action);
    if (offers("create"))
      test(`creating a ${resource} writes one event with the caller, the record and the names of the members that were set`, async () => {
        const { ada, properties, call, make, records } = tokens;
        if (resource === "embedfiltergroup")
          await records.remove(resource, [await make(ada, resource)]);
        const given = await properties(ada, resource);
        const {
          answer,
          failure,
          written: made,
        } = await written(() => call(ada, resource, "create", { properties: given }));
        assert.is(failure, undefined);
        assert.equal(made.map(summary), [["create", resource, answer?.id]]);
        const [event] = made;
        assert.equal(
          [event?.["user_id"], event?.["authorization_id"], event?.["organization_id"]],
          [ada.userId, ada.authorizationId, ada.organizationId],
        );
        assert.match(String(event?.["request_id"]), /^[0-9a-f-]{36}$/);
        assert.equal(event?.members.toSorted(), Object.keys(given).toSorted());
      });

    if (offers("update"))
      test(`updating a ${resource} writes one event, or none if the call is refused`, async () => {
        const { ada, eve, call, make } = tokens;
        const id = await make(ada, resource);
        const member = Object.keys(fields).find(
          (name) => fields[name]?.on.includes("update") && fields[name]?.nullable,
        );
        const properties = member === undefined ? {} : { [member]: null };
        const { failure, written: all } = await written(() =>
          call(ada, resource, "update", { id, properties }),
        );
        assert.is(failure, undefined);
        // Changing the approval of a chart also writes an event.
        const made = all.filter(({ action }) => !String(action).startsWith("chart_"));
        assert.equal(made.map(summary), [["update", resource, id]]);
        assert.equal(made[0]?.members, Object.keys(properties));
        const refused = await written(() => call(eve, resource, "update", { id, properties }));
        assert.ok(refused.failure);
        assert.equal(refused.written, []);
      });

    if (offers("delete"))
      test(`deleting a ${resource} writes one event, or none if the call is refused`, async () => {
        const { ada, eve, call, make } = tokens;
        const id = await make(ada, resource);
        const refused = await written(() => call(eve, resource, "delete", { id }));
        assert.ok(refused.failure);
        assert.equal(refused.written, []);
        const { failure, written: made } = await written(() =>
          call(ada, resource, "delete", { id }),
        );
        assert.is(failure, undefined, ownedBy);
        assert.equal(made.map(summary), [["delete", resource, id]]);
      });
  }

  test.deep(
    "adding or removing an association writes an event that names the other record",
    async () => {
      const { ada, call, make, records } = tokens;
      const refused: string[] = [];
      let checked = 0;
      for (const [resource, { associations, actions }] of declarations)
        for (const [role, association] of Object.entries(associations)) {
          if (!association.roles || !actions.includes("associate")) continue;
          const id = await make(ada, resource);
          const other = await make(ada, association.resource);
          const lookup = association.kind === "through" ? association.lookup : undefined;
          const [row] = lookup ? await records.find(association.resource, { id: other }) : [];
          const body = {
            id,
            resource: { role, id: lookup ? row?.[lookup] : other },
            properties: {},
          };
          const made = await written(() => call(ada, resource, "associate", body));
          if (made.failure) {
            assert.equal(made.written, [], `${resource} ${role}`);
            refused.push(`${resource} ${role}`);
            continue;
          }
          const target = { role, resource: association.resource, id: other };
          assert.equal(made.written.map(summary), [["associate", resource, id]], role);
          assert.equal(made.written[0]?.target, target);
          const ended = await written(() => call(ada, resource, "dissociate", body));
          assert.equal(
            ended.written.map(summary),
            ended.failure ? [] : [["dissociate", resource, id]],
            `${resource} ${role}`,
          );
          checked++;
        }
      assert.equal(refused.toSorted(), refusedPairs.toSorted());
      assert.ok(checked > 40, `${checked} associations`);
    },
  );

  test("creating a record with associations also writes an event for each association", async () => {
    const { ada, bob, call } = tokens;
    const { answer, written: made } = await written(() =>
      call(ada, "securable", "create", {
        properties: { type: "dashboard" },
        associations: [{ role: "Users", id: bob.userId }],
      }),
    );
    assert.equal(made.map(summary).toSorted(), [
      ["associate", "securable", answer?.id],
      ["create", "securable", answer?.id],
    ]);
  });

  test("creating a token for a new user also writes an event for the user", async () => {
    const { mint, whoIs } = tokens;
    const { answer, written: made } = await written(() => mint({ username: "u-audit", name: "A" }));
    const user = answer && (await whoIs(answer)).userId;
    assert.equal(made.map(summary).toSorted(), [
      ["create", "authorization", answer?.id],
      ["create", "user", user],
    ]);
    const again = await written(() => mint({ username: "u-audit", name: "B" }));
    assert.equal(
      again.written
        .map(({ action, resource, members }) => [action, resource, members])
        .toSorted()[1],
      ["update", "user", ["name"]],
    );
  });

  test("a change and its event are stored together or not at all", async () => {
    const { ada, call, catalog } = tokens;
    const { knex } = catalog;
    const create = () => call(ada, "tag", "create", { properties: { tag: "atomic" } });
    const count = async () => (await knex("tag").where({ tag: "atomic" })).length;
    await knex.raw("alter table auditevent rename to auditevent_gone");
    assert.ok(await create().catch((failure: unknown) => failure));
    await knex.raw("alter table auditevent_gone rename to auditevent");
    assert.is(await count(), 0);
    await knex.raw(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create constraint trigger refuse after insert on tag deferrable initially deferred
        for each row execute function refuse()`);
    const refused = await written(create);
    await knex.raw("drop trigger refuse on tag");
    assert.ok(refused.failure);
    assert.equal([refused.written, await count()], [[], 0]);
  });

  test("only owners of the organization can read its audit events, and nobody can write them", async () => {
    const { ada, ben, bob, eve, mint, whoIs, rows, kernel, make } = tokens;
    await make(ada, "tag");
    const self = await whoIs(await mint());
    const seen = await rows(ada, "auditevent", { where: { resource: "tag" }, limit: 5 });
    assert.ok(seen.length > 0);
    for (const event of seen) assert.is(event["organization_id"], ada.organizationId);
    for (const other of [ben, bob, self]) assert.equal(await rows(other, "auditevent", {}), []);
    assert.not(
      (await rows(eve, "auditevent", {})).some(
        (event) => event["organization_id"] !== eve.organizationId,
      ),
    );
    assert.equal(Object.keys(kernel.handlers["auditevent"] ?? {}), ["get"]);
  });

  test("audit events are kept when their user or record is deleted", async () => {
    const { ada, addUser, call, catalog } = tokens;
    const zoe = await addUser(ada, "zoe");
    const { id } = await call(zoe, "column", "create", { properties: { order: 1 } });
    await call(zoe, "column", "delete", { id });
    await catalog.knex("user").where({ id: zoe.userId }).delete();
    const kept = await catalog.knex("auditevent").where({ record_id: id, user_id: zoe.userId });
    assert.is(kept.length, 2);
  });

  test("audit events never contain the values of members", async () => {
    const text = JSON.stringify(await events());
    assert.ok(text.length > 10_000);
    assert.not.match(text, /canary|example\.org|Sample|Ghent/);
  });
});
