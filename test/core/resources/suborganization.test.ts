import * as assert from "uvu/assert";
import type { Principal } from "../../../core/base/contracts/index.ts";
import { declarations } from "../../../core/resources/index.ts";
import { suite } from "../../support/suite.ts";
import { openTenants, type Tenants } from "./openTenants.ts";

/**
 * Resources that belong to the whole organization. Users of a suborganization can read the records of these resources,
 * but cannot change them.
 */
const keptForAll = ["organization", "tag", "theme", "customchart", "customchartversion", "group"];
/** Resources that belong to no organization and that everyone can read. */
const reference = ["country", "locale", "currency", "timezone"];

suite("core/resources: owners inside a suborganization", (test) => {
  let tenants: Tenants;
  let north: Principal;
  let south: Principal;
  test.before(async () => {
    tenants = await openTenants();
    const owner = { flagEditor: true, flagOwn: true };
    north = await tenants.addUser(tenants.ada, "north", { suborganization: "north" }, owner);
    south = await tenants.addUser(tenants.ada, "south", { suborganization: "south" }, owner);
  });
  test.after(() => tenants.close());

  const statusOf = (call: Promise<unknown>) =>
    call.then(
      () => 200,
      (failure: { status?: number }) => failure.status ?? String(failure),
    );

  for (const { name, actions } of declarations.values())
    if (!reference.includes(name))
      test(`an owner in a suborganization cannot change any ${name} of the whole organization or another suborganization`, async () => {
        const { ada, call, make, rows } = tenants;
        for (const [whose, who] of [
          ["the organization", ada],
          ["another", south],
        ] as const) {
          const isAlone = ["embedfiltergroup", "ssoconfig"].includes(name) && who === south;
          if (isAlone || (name === "organization" && who === south)) continue;
          const id = await make(who, name);
          const seen = await rows(north, name, { where: { id } });
          const isForAll = who === ada && keptForAll.includes(name);
          assert.is(seen.length, isForAll ? 1 : 0, `${name} of ${whose} is visible`);
          for (const action of ["update", "delete"] as const) {
            if (!actions.includes(action)) continue;
            const status = await statusOf(call(north, name, action, { id, properties: {} }));
            assert.is(status, isForAll ? 403 : 404, `${action} of a ${name} of ${whose}`);
          }
        }
      });

  test("an owner in a suborganization cannot create records of the whole organization", async () => {
    const { make, properties, refusal } = tenants;
    for (const resource of ["embedfiltergroup", "ssoconfig"]) {
      await tenants.catalog.knex(resource).delete();
      const body = { properties: await properties(north, resource) };
      assert.is((await refusal(north, resource, "create", body)).status, 403, resource);
    }
    for (const resource of ["plugin", "channel"]) {
      const id = await make(north, resource);
      const target = { id, resource: { role: "Organizations", id: north.organizationId } };
      assert.is((await refusal(north, resource, "associate", target)).status, 403, resource);
    }
  });

  test("only an owner of the whole organization can move users, except themselves, to another suborganization", async () => {
    const { ada, bob, call, refusal } = tenants;
    const move = (id: string, suborganization: string | null) => ({
      id,
      properties: { suborganization },
    });
    const member = await tenants.addUser(ada, "moved", { suborganization: "north" });
    for (const [who, whom] of [
      [north, member],
      [member, member],
      [bob, bob],
    ] as const) {
      const refused = await refusal(who, "user", "update", move(whom.userId, "west"));
      assert.equal([refused.status, refused.code], [403, "FORBIDDEN"]);
    }
    assert.is((await refusal(south, "user", "update", move(member.userId, "south"))).status, 404);
    assert.is((await refusal(ada, "user", "update", move(ada.userId, "north"))).status, 409);
    const [kept] = await tenants.rows(ada, "user", { where: { id: member.userId } });
    assert.is(kept?.["suborganization"], "north");
    await call(member, "user", "update", {
      id: member.userId,
      properties: { suborganization: "north", city: "Ghent" },
    });
    await call(ada, "user", "update", move(member.userId, "south"));
    assert.is((await tenants.rows(south, "user", { where: { id: member.userId } })).length, 1);
    assert.is((await tenants.rows(north, "user", { where: { id: member.userId } })).length, 0);
    await call(ada, "user", "update", move(member.userId, null));
    assert.is((await tenants.rows(south, "user", { where: { id: member.userId } })).length, 0);
  });

  test("an owner in a suborganization can read its users' audit events and its own themes", async () => {
    const { ada, make, rows } = tenants;
    const own = await make(north, "tag");
    const events = await rows(north, "auditevent", {});
    assert.ok(events.some((event) => event["record_id"] === own));
    assert.equal([...new Set(events.map((event) => event["user_id"]))], [north.userId]);
    assert.ok((await rows(ada, "auditevent", { where: { record_id: own } })).length > 0);
    const theme = await make(north, "theme");
    for (const [who, count] of [
      [north, 1],
      [ada, 1],
      [south, 0],
    ] as const)
      assert.is((await rows(who, "theme", { where: { id: theme } })).length, count);
    await tenants.call(north, "theme", "update", { id: theme, properties: { name: "Own" } });
    await tenants.call(ada, "theme", "update", { id: theme, properties: { name: "Ours" } });
    const [builtIn] = await rows(north, "theme", { where: { id: "vivid" } });
    assert.is(builtIn?.id, "vivid");
  });
});
