import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

suite("core/resources/securables/tag", (test) => {
  const tenants = openTenantsFor(test);

  test("a client that loads data can find a tag by its word, add the tag to a dataset and remove the tag again", async () => {
    const { ada, bob, call, rows } = tenants;
    const { id: dataset } = await call(ada, "securable", "create", {
      properties: { type: "dataset" },
    });
    assert.equal(await rows(ada, "tag", { where: { tag: "stream-1" } }), []);
    const tag = await call(ada, "tag", "create", { properties: { tag: "stream-1" } });
    const target = { role: "Securables", id: dataset };
    const isTagged = async () => {
      const inner = { model: "Tag", where: { tag: "stream-1" }, jointype: "inner" };
      const answer = await call(ada, "securable", "get", {
        find: { where: { id: dataset }, include: [inner] },
      });
      return answer["count"];
    };
    await call(ada, "tag", "associate", { id: tag.id, resource: target });
    assert.is(await isTagged(), 1);
    await call(ada, "tag", "associate", { id: tag.id, resource: target });
    await call(ada, "tag", "dissociate", { id: tag.id, resource: target });
    assert.is(await isTagged(), 0);
    assert.is((await rows(bob, "tag", { where: { tag: "stream-1" } })).length, 1);
    assert.is((await rows(bob, "tag", { search: { keyphrase: "STREAM" } })).length, 1);
    const byAnother = { id: tag.id, properties: { tag: "mine" } };
    assert.is((await tenants.refusal(bob, "tag", "update", byAnother)).code, "FORBIDDEN");
    const shared = {
      id: dataset,
      resource: { role: "Users", id: bob.userId },
      properties: { flagModify: true },
    };
    await call(ada, "securable", "associate", shared);
    await call(bob, "securable", "associate", {
      id: dataset,
      resource: { role: "Tags", id: tag.id },
    });
    assert.is(await isTagged(), 1);
    assert.match(await tenants.refusedBy("tag", { tag: "  " }), /properties\.tag .*non-empty/);
  });
});
