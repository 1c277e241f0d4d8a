import * as assert from "uvu/assert";
import { suite } from "../../../../support/suite.ts";
import { openTenants, samples, type Answer, type Tenants } from "../../openTenants.ts";

type Json = Record<string, unknown>;

suite("core/resources/kernel/actions/associate", (test) => {
  let tenants: Tenants;
  let dataset: Answer;
  let column: Answer;

  test.before(async () => {
    tenants = await openTenants();
  });
  test.beforeEach(async () => {
    const { ada, call } = tenants;
    dataset = await call(ada, "securable", "create", { properties: { type: "dataset" } });
    column = await call(ada, "column", "create", { properties: { order: 0 } });
  });
  test.after(() => tenants.close());

  const columnsOf = async (id: string) => {
    const [row] = await tenants.rows(tenants.ada, "securable", {
      where: { id },
      include: [{ model: "Column" }],
    });
    return ((row?.["columns"] ?? []) as Json[]).map((each) => each["id"]);
  };

  test("`associate` accepts a role in any letter case, in the singular and plural, with either record first", async () => {
    const { ada, call } = tenants;
    for (const role of ["Securable", "securable", "Securables", "SECURABLES"]) {
      const answer = await call(ada, "column", "associate", {
        id: column.id,
        resource: { role, id: dataset.id },
      });
      assert.equal(
        [answer.id, answer["securable_id"], answer["code"]],
        [column.id, dataset.id, 200],
      );
      const ended = await call(ada, "column", "dissociate", {
        id: column.id,
        resource: { role, id: dataset.id },
      });
      assert.equal([ended["securable_id"], ended["code"]], [null, 200]);
    }
    for (const role of ["Columns", "column"]) {
      const answer = await call(ada, "securable", "associate", {
        id: dataset.id,
        resource: { role, id: column.id },
      });
      assert.equal([answer.id, answer["code"]], [dataset.id, 200]);
      assert.equal(await columnsOf(dataset.id), [column.id]);
      await call(ada, "securable", "dissociate", {
        id: dataset.id,
        resource: { role, id: column.id },
      });
      assert.equal(await columnsOf(dataset.id), []);
    }
  });

  test("`associate` replaces a to-one association, and `dissociate` removes only the association that exists", async () => {
    const { ada, call } = tenants;
    const other = await call(ada, "securable", "create", { properties: { type: "dataset" } });
    for (const { id } of [dataset, other])
      await call(ada, "column", "associate", {
        id: column.id,
        resource: { role: "Securable", id },
      });
    assert.equal([await columnsOf(dataset.id), await columnsOf(other.id)], [[], [column.id]]);
    await call(ada, "column", "dissociate", {
      id: column.id,
      resource: { role: "Securable", id: dataset.id },
    });
    assert.equal(await columnsOf(other.id), [column.id]);
  });

  test("`associate` stores the type of a join, exact by default, and a repeated `associate` replaces the type", async () => {
    const { ada, call, refusal, rows } = tenants;
    const other = await call(ada, "column", "create", { properties: { order: 1 } });
    const body = { id: column.id, resource: { role: "Joins", id: other.id } };
    const joinOf = async () => {
      const include = [{ model: "Column", as: "Joins", attributes: ["id"] }];
      const [row] = await rows(ada, "column", { where: { id: column.id }, include });
      return ((row?.["joins"] ?? []) as Json[]).map((each) => (each["join"] as Json)["type"]);
    };
    await call(ada, "column", "associate", body);
    assert.equal(await joinOf(), ["exact"]);
    await call(ada, "column", "associate", { ...body, properties: { type: "lookup" } });
    assert.equal(await joinOf(), ["lookup"]);
    const { code, message } = await refusal(ada, "column", "associate", {
      ...body,
      properties: { type: "fuzzy" },
    });
    assert.is(code, "MEMBER_INVALID");
    assert.match(message, /properties\.type .*exact, lookup/);
    await call(ada, "column", "dissociate", body);
    assert.equal(await joinOf(), []);
  });

  test("associating a record with a user grants the right that the flag names and all lower rights, but no higher right", async () => {
    const { ada, bob, call, refusal, rows } = tenants;
    const ladder = [
      [{}, "read"],
      [{ flagRead: true }, "read"],
      [{ flagUse: true }, "use"],
      [{ flagModify: true }, "modify"],
      [{ flagOwn: true }, "own"],
    ] as const;
    const order = ["read", "use", "modify", "own"];
    for (const [flags, right] of ladder) {
      const { id } = await call(ada, "securable", "create", { properties: { type: "dataset" } });
      await call(ada, "securable", "associate", {
        id,
        resource: { role: "users", id: bob.userId },
        properties: flags,
      });
      const [row] = await rows(bob, "securable", { where: { id }, include: [{ model: "User" }] });
      const [link] = ((row?.["users"] ?? []) as Json[]).map(
        (user) => user["securableUser"] as Json,
      );
      const held = order.indexOf(right);
      const flagNames = ["flagRead", "flagUse", "flagModify", "flagOwn"];
      assert.equal(
        flagNames.map((flag) => link?.[flag]),
        flagNames.map((_, index) => index <= held),
      );
      for (const [index, each] of order.entries()) {
        const seen = await tenants.records.visible("securable", [id], each as "read", bob);
        assert.is(seen.size, index <= held ? 1 : 0, `${right} ${each}`);
      }
      const properties = { name: { en: "Changed" } };
      if (held >= 2) await call(bob, "securable", "update", { id, properties });
      else
        assert.is(
          (await refusal(bob, "securable", "update", { id, properties })).code,
          "FORBIDDEN",
        );
      if (held >= 3) await call(bob, "securable", "delete", { id });
      else assert.equal((await refusal(bob, "securable", "delete", { id })).status, 403);
    }
  });

  test("associating a record with a user requires the right on the record and the role of an editor", async () => {
    const { ada, ben, bob, call, refusal } = tenants;
    const share = (userId: string) => ({
      id: dataset.id,
      resource: { role: "Users", id: userId },
      properties: { flagOwn: true },
    });
    assert.is(
      (await refusal(bob, "securable", "associate", share(bob.userId))).code,
      "RECORD_NOT_FOUND",
    );
    await call(ada, "securable", "associate", {
      ...share(bob.userId),
      properties: { flagModify: true },
    });
    assert.is((await refusal(bob, "securable", "associate", share(bob.userId))).code, "FORBIDDEN");
    await call(ada, "securable", "associate", share(bob.userId));
    assert.is((await refusal(bob, "securable", "associate", share(ben.userId))).code, "FORBIDDEN");
    await call(ada, "securable", "associate", share(ben.userId));
    await call(ben, "securable", "associate", share(bob.userId));
    const fromUser = {
      id: bob.userId,
      resource: { role: "Securables", id: dataset.id },
      properties: { flagRead: true },
    };
    assert.is((await call(ben, "user", "associate", fromUser)).id, bob.userId);
    assert.is((await refusal(bob, "securable", "delete", { id: dataset.id })).code, "FORBIDDEN");
  });

  test("`associate` shares a connection by its shareable id but not by its id", async () => {
    const { ada, bob, call, refusal, rows } = tenants;
    const account = await call(ada, "account", "create", { properties: samples["account"] });
    const body = (id: unknown) => ({
      id: bob.userId,
      resource: { role: "Shareables", id },
      properties: { flagUse: true },
    });
    assert.is((await refusal(ada, "user", "associate", body(account.id))).code, "RECORD_NOT_FOUND");
    await call(ada, "user", "associate", body(account["shareable_id"]));
    assert.equal(
      (await rows(bob, "account")).map(({ id }) => id),
      [account.id],
    );
    const redirect = { host: "https://elsewhere.example.org" };
    assert.is(
      (await refusal(bob, "account", "update", { id: account.id, properties: redirect })).code,
      "FORBIDDEN",
    );
    await call(ada, "user", "dissociate", {
      id: bob.userId,
      resource: { role: "Shareables", id: account["shareable_id"] },
    });
    assert.equal(await rows(bob, "account"), []);
  });

  test("every organization always has an owner, and every user exactly one organization", async () => {
    const { ada, ben, bob, call, refusal } = tenants;
    const role = (id: string, properties: Json) => ({
      id: ada.organizationId,
      resource: { role: "Users", id },
      properties,
    });
    const { code, message } = await refusal(
      ada,
      "organization",
      "associate",
      role(ada.userId, { flagMember: true }),
    );
    assert.equal([code, /last owner/.test(message)], ["CONFLICT", true]);
    await call(ada, "organization", "associate", role(ada.userId, { flagOwn: true }));
    assert.is((await refusal(ada, "user", "delete", { id: ada.userId })).code, "CONFLICT");
    assert.is(
      (await refusal(ada, "organization", "dissociate", role(bob.userId, {}))).code,
      "CONFLICT",
    );
    assert.is(
      (await refusal(ben, "organization", "associate", role(ben.userId, { flagOwn: true }))).code,
      "FORBIDDEN",
    );
    await call(ada, "organization", "associate", role(ben.userId, { flagOwn: true }));
    await call(ada, "organization", "associate", role(ben.userId, { flagEditor: true }));
    const demoteLast = {
      id: ada.userId,
      resource: { role: "Organizations", id: ada.organizationId },
    };
    assert.is((await refusal(ada, "user", "associate", demoteLast)).code, "CONFLICT");
  });

  test("`associate` shares a plugin with an organization or user, and its creator keeps access", async () => {
    const { ada, bob, call, refusal, rows } = tenants;
    const { id } = await call(ada, "plugin", "create", {
      properties: { ...samples["plugin"], slug: "shared" },
    });
    assert.equal(await rows(bob, "plugin", { where: { id } }), []);
    for (const [role, other] of [
      ["Organization", ada.organizationId],
      ["Users", bob.userId],
    ]) {
      await call(ada, "plugin", "associate", { id, resource: { role, id: other } });
      assert.is((await rows(bob, "plugin", { where: { id } })).length, 1);
      assert.is((await tenants.records.visible("plugin", [id], "use", bob)).size, 1);
      assert.is((await refusal(bob, "plugin", "update", { id, properties: {} })).code, "FORBIDDEN");
      await call(ada, "plugin", "dissociate", { id, resource: { role, id: other } });
      assert.equal(await rows(bob, "plugin", { where: { id } }), []);
    }
    const own = { id, resource: { role: "Users", id: ada.userId } };
    assert.is((await refusal(ada, "plugin", "dissociate", own)).code, "CONFLICT");
  });

  test("the error for an invalid `associate` call names the problem and lists the roles", async () => {
    const { ada, refusal } = tenants;
    const cases: [Json, string, RegExp][] = [
      [{ id: column.id }, "MEMBER_MISSING", /^resource/],
      [{ id: column.id, resource: "Securable" }, "MEMBER_INVALID", /^resource/],
      [{ id: column.id, resource: { id: dataset.id } }, "MEMBER_MISSING", /^resource\.role/],
      [
        { id: column.id, resource: { role: "Tags", id: dataset.id } },
        "ROLE_UNKNOWN",
        /Tags; it has: Securable, Joins/,
      ],
      [
        { id: column.id, resource: { role: "__proto__", id: dataset.id } },
        "ROLE_UNKNOWN",
        /Securable/,
      ],
      [
        { id: column.id, resource: { role: "Joins", id: column.id }, properties: 1 },
        "MEMBER_INVALID",
        /^properties/,
      ],
    ];
    for (const [body, code, words] of cases) {
      const refused = await refusal(ada, "column", "associate", body);
      assert.equal([refused.code, refused.status], [code, 400], JSON.stringify(body));
      assert.match(refused.message, words);
    }
    const flag = {
      id: dataset.id,
      resource: { role: "Users", id: tenants.bob.userId },
      properties: { flagRead: "yes" },
    };
    assert.match(
      (await refusal(ada, "securable", "associate", flag)).message,
      /properties\.flagRead .*true or false, not a string/,
    );
  });

  const groupWith = async (...ids: readonly string[]) => {
    const { ada, call } = tenants;
    return call(ada, "group", "create", {
      properties: { name: "Readers" },
      associations: ids.map((id) => ({ role: "Securables", id, properties: { flagUse: true } })),
    });
  };
  const sharedWith = async (groupId: string) => {
    const found = await tenants.rows(tenants.ada, "securable", {
      include: [{ model: "Group", where: { id: groupId }, jointype: "inner" }],
    });
    return found.map(({ id }) => id).toSorted();
  };

  test("`associate` creates and removes further associations in the same call", async () => {
    const { ada, call } = tenants;
    const other = await call(ada, "securable", "create", { properties: { type: "dataset" } });
    const old = await call(ada, "securable", "create", { properties: { type: "dataset" } });
    const group = await groupWith(old.id);
    const answer = await call(ada, "group", "associate", {
      id: group.id,
      resource: { role: "Securables", id: dataset.id },
      properties: { flagRead: true },
      associations: [{ role: "Securables", id: other.id, properties: { flagModify: true } }],
      dissociations: [{ role: "Securables", id: old.id }],
    });
    assert.equal([answer.id, answer["code"]], [group.id, 200]);
    assert.equal(await sharedWith(group.id), [dataset.id, other.id].toSorted());
    await call(ada, "group", "dissociate", {
      id: group.id,
      resource: { role: "Securables", id: dataset.id },
      dissociations: [{ role: "Securables", id: other.id }],
    });
    assert.equal(await sharedWith(group.id), []);
  });

  test("a refused association leaves all others of the call unchanged", async () => {
    const { ada, call, refusal } = tenants;
    const old = await call(ada, "securable", "create", { properties: { type: "dataset" } });
    const group = await groupWith(old.id);
    const foreign = "0b4b9ad4-6c3f-4b5e-8f0c-0d7d3c9f1a11";
    const resource = { role: "Securables", id: dataset.id };
    const dissociations = [{ role: "Securables", id: old.id }];
    for (const [associations, expected] of [
      [[{ role: "Securables", id: foreign }], /there is no securable/],
      [
        [{ role: "Securables", id: dataset.id, properties: { filters: [{}] } }],
        /associations\[0\]\.properties\.filters\[0\]\.securable_id/,
      ],
      [
        [{ role: "Securables", id: dataset.id, properties: { flagRaed: true } }],
        /associations\[0\]\.properties\.flagRaed/,
      ],
      [[{ role: "Readers", id: dataset.id }], /Readers/],
      ["all", /associations .*must be a list/],
    ] as const) {
      const body = { id: group.id, resource, associations, dissociations };
      const { message } = await refusal(ada, "group", "associate", body);
      assert.match(message, expected);
      assert.equal(await sharedWith(group.id), [old.id]);
    }
  });
});
