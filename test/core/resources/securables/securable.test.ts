import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import { checkContents, datasetsOf } from "../../../../core/resources/securables/contents.ts";
import { reportContents } from "../../../../core/resources/securables/reportContents.ts";
import { suite } from "../../../support/suite.ts";
import { type Answer, openTenantsFor } from "../openTenants.ts";

type Json = Record<string, unknown>;

suite("core/resources/securables: dashboards", (test) => {
  const tenants = openTenantsFor(test);

  const create = (properties: Json = {}): Promise<Answer> =>
    tenants.call(tenants.ada, "securable", "create", {
      properties: { type: "dashboard", ...properties },
    });
  const versionsOf = (securable_id: string) =>
    tenants.rows(tenants.ada, "securableversion", {
      where: { securable_id },
      order: [["created_at", "desc"]],
    });

  test("a dashboard stores its contents completely, even members unknown to the host", async () => {
    const contents = {
      version: "0.1.99",
      syncScreenModes: false,
      datasetLinks: { [randomUUID()]: [] },
      views: [
        {
          screenModus: "largeScreen",
          options: {
            share: { poweredBy: true },
            theme: { id: "vivid" },
            alertingEnabled: false,
            own: 1,
          },
          filterGroups: [{ id: "f", condition: "and", filters: [] }],
          items: [{ id: "i", type: "bar-chart", slots: [], future: { deep: [1, "x", null] } }],
          later: true,
        },
      ],
      parameters: [{ id: "p" }],
      timezone: { type: "user" },
      unknown: { anything: [true] },
    };
    const { id } = await create({ contents });
    const [row] = await tenants.rows(tenants.ada, "securable", { where: { id } });
    assert.equal(row?.["contents"], contents);
  });

  test("an invalid known member in a dashboard's contents fails, and the error names its path", async () => {
    const cases: [unknown, RegExp][] = [
      [{ views: {} }, /contents\.views/],
      [{ views: [7] }, /contents\.views\[0\]/],
      [{ views: [{ items: {} }] }, /contents\.views\[0\]\.items/],
      [{ views: [{}, { screenModus: "watch" }] }, /contents\.views\[1\]\.screenModus/],
      [{ views: [{ options: { theme: "vivid" } }] }, /contents\.views\[0\]\.options\.theme/],
      [{ views: [{ options: { share: { poweredBy: "yes" } } }] }, /options\.share\.poweredBy/],
      [{ version: 1 }, /contents\.version/],
      [{ parameters: {} }, /contents\.parameters/],
      [{ timezone: "UTC" }, /contents\.timezone/],
      [{ datasetLinks: [1] }, /contents\.datasetLinks/],
      [{ views: [{ filterGroups: [{ condition: "nor" }] }] }, /filterGroups\[0\]\.condition/],
      [{ views: [{ filterGroups: [{ filters: "x" }] }] }, /filterGroups\[0\]\.filters/],
      [
        { filterGroups: [{ subGroups: [{ subGroups: [{}, { filters: [1] }] }] }] },
        /filterGroups\[0\]\.subGroups\[0\]\.subGroups\[1\]\.filters\[0\]/,
      ],
      [{ filters: [[1]] }, /contents\.filters\[0\]/],
      [{ views: [{ items: [{ type: 5 }] }] }, /items\[0\]\.type/],
      [{ views: [{ items: [{ position: { row: "1" } }] }] }, /items\[0\]\.position\.row/],
      [{ views: [{ items: [{ slots: [{ content: {} }] }] }] }, /slots\[0\]\.content/],
    ];
    for (const [contents, words] of cases) {
      const { code, message } = await tenants.refusal(tenants.ada, "securable", "create", {
        properties: { type: "dashboard", contents },
      });
      assert.is(code, "MEMBER_INVALID", JSON.stringify(contents));
      assert.match(message, words);
    }
    assert.match(checkContents({ big: "x".repeat(9_000_000) }) ?? "", /at most 8388608 bytes/);
  });

  test("`validate` warns about contents that a dashboard cannot show, and `create` stores them", async () => {
    const { ada, eve, call } = tenants;
    const dataset = await call(ada, "securable", "create", {
      properties: { type: "dataset", name: { en: "Trips" } },
    });
    const column = await tenants.make(ada, "column");
    await call(ada, "column", "associate", {
      id: column,
      resource: { role: "Securable", id: dataset.id },
    });
    const board = (columnId: string, type = "bar-chart") => ({
      version: "0.1.99",
      views: [
        {
          screenModus: "desktop",
          items: [
            {
              id: "a",
              type,
              position: { col: 0, row: 0, sizeX: 24, sizeY: 16 },
              slots: [{ name: "measure", content: [{ datasetId: dataset.id, columnId }] }],
            },
          ],
        },
      ],
    });
    const check = (contents: unknown, by = ada, more: Json = {}) =>
      call(by, "securable", "validate", { properties: { type: "dashboard", contents }, ...more });
    assert.equal(await check(board(column)), { valid: true });
    const [unknown, foreign, misspelt] = [
      await check(board(randomUUID())),
      await check(board(column), eve),
      await check(board(column, "bar-chrt")),
    ];
    assert.match(
      JSON.stringify(unknown),
      /"valid":true,"warnings":\["contents\.views\[0\]\.items\[0\]\.slots\[0\]\.content\[0\]\.columnId .* is not the id of a column/,
    );
    assert.match(JSON.stringify(foreign), /does not exist or cannot be seen by the caller/);
    assert.match(JSON.stringify(misspelt), /"valid":true,"warnings":\[.*did you mean bar-chart\?/);
    const { id } = await create({ contents: board(column, "bar-chrt") });
    for (const contents of [{}, { items: [] }, { views: [{ items: [{ type: "bar" }] }] }]) {
      for (const more of [{}, { id, properties: { contents } }]) {
        const { valid, message, validation } = await check(contents, ada, more);
        assert.is(valid, false, JSON.stringify(contents));
        assert.match(String(message), /nothing in it can be drawn; create would store it anyway/);
        assert.ok(((validation as Json)["contents"] as unknown[]).length > 0);
      }
      await create({ contents });
    }
    assert.is((await check({ views: 3 }))["valid"], false);
    const ofDataset = { properties: { type: "dataset", contents: {} } };
    assert.equal(await call(ada, "securable", "validate", ofDataset), { valid: true });
  });

  test.deep(
    "the check of a dashboard's contents finds the first invalid item among a million items",
    () => {
      const many = (value: unknown) => Array.from({ length: 1_000_000 }, () => value);
      assert.match(checkContents({ views: many(7) }) ?? "", /views\[0\]/);
      assert.match(checkContents({ views: [{ items: many(7) }] }) ?? "", /items\[0\]/);
      assert.is(checkContents({ views: many({}) }), undefined);
      assert.is(reportContents({ views: [{ items: many({}) }] }).warnings.length > 0, true);
    },
  );

  test("each save of a dashboard creates a version, listed newest first, and clients cannot create versions", async () => {
    const { ada, call, refusal } = tenants;
    const { id } = await create({ name: { en: "One" }, css: "a {}" });
    await call(ada, "securable", "update", { id, properties: { name: { en: "Two" } } });
    const contents = { version: "0.1.99", views: [] };
    await call(ada, "securable", "update", { id, properties: { contents } });
    const versions = await versionsOf(id);
    assert.equal(
      versions.map(({ name }) => (name as Json)["en"]),
      ["Two", "Two", "One"],
    );
    const [newest] = await tenants.rows(ada, "securableversion", {
      where: { id: versions[0]?.id },
    });
    assert.equal([newest?.["contents"], newest?.["css"]], [contents, "a {}"]);
    assert.is(versions[0]?.["contents"], null);
    assert.is(newest?.["user_id"], ada.userId);
    await tenants.make(ada, "column");
    const dataset = await call(ada, "securable", "create", { properties: { type: "dataset" } });
    assert.equal(await versionsOf(dataset.id), []);
    await refusal(ada, "securable", "create", { properties: { type: "dashboard", css: 7 } });
    assert.is((await versionsOf(id)).length, 3);
  });

  test("publishing a version to an environment replaces the version published there", async () => {
    const { ada, bob, call, refusal } = tenants;
    const { id } = await create();
    await call(ada, "securable", "update", { id, properties: {} });
    const [second, first] = await versionsOf(id);
    const publish = (version: Answer | undefined, environment: unknown) =>
      call(ada, "securableversion", "update", { id: version?.id, properties: { environment } });
    const environments = async () => (await versionsOf(id)).map(({ environment }) => environment);
    await publish(first, "production");
    await publish(first, "production");
    assert.equal(await environments(), [null, "production"]);
    await publish(second, "production");
    assert.equal(await environments(), ["production", null]);
    await publish(first, "qa");
    assert.equal(await environments(), ["production", "qa"]);
    await publish(second, null);
    assert.equal(await environments(), [null, "qa"]);
    const body = { id: first?.id, properties: { environment: "staging" } };
    assert.is((await refusal(ada, "securableversion", "update", body)).code, "MEMBER_INVALID");
    const share = {
      id,
      resource: { role: "Users", id: bob.userId },
      properties: { flagUse: true },
    };
    await call(ada, "securable", "associate", share);
    const byReader = { id: first?.id, properties: { environment: "qa" } };
    assert.is((await refusal(bob, "securableversion", "update", byReader)).code, "FORBIDDEN");
    assert.is(
      (await tenants.rows(bob, "securableversion", { where: { securable_id: id } })).length,
      2,
    );
  });

  test("only the newest hundred versions of a dashboard are kept, plus published versions", async () => {
    const { ada, records } = tenants;
    const { id } = await create();
    const [published] = await versionsOf(id);
    await tenants.call(ada, "securableversion", "update", {
      id: published?.id,
      properties: { environment: "production" },
    });
    await records.insertMany(
      "securableversion",
      Array.from({ length: 120 }, (_, index) => ({
        securable_id: id,
        created_at: new Date(1_000_000 + index),
      })),
    );
    await tenants.call(ada, "securable", "update", { id, properties: {} });
    const versions = await records.find("securableversion", { securable_id: id });
    assert.is(versions.length, 101);
    assert.ok(versions.some((version) => version.id === published?.id));
    const oldest = Math.min(
      ...versions.map((version) => (version["created_at"] as Date).getTime()),
    );
    assert.is(oldest, 1_000_000 + 21);
  });

  test("versions with a title are kept longer than others, and the newest version is always kept", async () => {
    const { ada, call, records } = tenants;
    const { id } = await create();
    const [titled] = await versionsOf(id);
    const properties = { title: "Before the redesign" };
    await call(ada, "securableversion", "update", { id: titled?.id, properties });
    const titles = (count: number, title: string | null) =>
      Array.from({ length: count }, (_, index) => ({
        securable_id: id,
        title,
        created_at: new Date(1_000_000 + index),
      }));
    await records.insertMany("securableversion", titles(120, null));
    await call(ada, "securable", "update", { id, properties: {} });
    const kept = await records.find("securableversion", { securable_id: id });
    assert.is(kept.length, 100);
    assert.is(kept.find((version) => version.id === titled?.id)?.["title"], properties.title);
    await records.insertMany("securableversion", titles(120, "Another"));
    await call(ada, "securable", "update", { id, properties: {} });
    const titledOnly = await records.find("securableversion", { securable_id: id });
    assert.is(titledOnly.length, 100);
    assert.is(titledOnly.filter((version) => version["title"] === null).length, 1);
  });

  test("each save links a dashboard to the datasets that the dashboard uses and its author may read", async () => {
    const { ada, eve, call, rows } = tenants;
    const dataset = async (who = ada) =>
      (await call(who, "securable", "create", { properties: { type: "dataset" } })).id;
    const [one, two, three, foreign] = [
      await dataset(),
      await dataset(),
      await dataset(),
      await dataset(eve),
    ];
    const contents = {
      datasetLinks: { [one]: [] },
      views: [
        {
          items: [
            { slots: [{ content: [{ datasetId: two, columnId: three }, { set: foreign }] }] },
          ],
          filterGroups: [{ datasetId: randomUUID() }],
        },
      ],
    };
    const { id } = await create({ contents });
    const linked = async (of: string, model: string) => {
      const include = [{ model: "Securable", as: model, attributes: ["id"] }];
      const [row] = await rows(ada, "securable", { where: { id: of }, include });
      return ((row?.[model.toLowerCase()] ?? []) as Json[]).map((each) => each["id"]).toSorted();
    };
    assert.equal(await linked(id, "Datasets"), [one, two].toSorted());
    assert.equal(await linked(two, "Dashboards"), [id]);
    await call(ada, "securable", "update", { id, properties: { name: { en: "N" } } });
    assert.equal(await linked(id, "Datasets"), [one, two].toSorted());
    await call(ada, "securable", "update", {
      id,
      properties: { contents: { datasetLinks: { [three]: [] } } },
    });
    assert.equal(await linked(id, "Datasets"), [three]);
    await call(ada, "securable", "associate", { id: one, resource: { role: "Dashboards", id } });
    assert.equal(await linked(id, "Datasets"), [one, three].toSorted());
    await call(ada, "securable", "dissociate", { id, resource: { role: "Datasets", id: one } });
    assert.equal(await linked(id, "Datasets"), [three]);
    const twoDatasets = { id: one, resource: { role: "Datasets", id: two } };
    assert.is((await tenants.refusal(ada, "securable", "associate", twoDatasets)).code, "CONFLICT");
  });

  test("each dataset in a dashboard's contents is found once, wherever the contents name it", () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const contents = {
      a: [{ dataset_id: one }, { set: one.toUpperCase() }],
      datasetLinks: { [two]: [one] },
    };
    assert.equal(datasetsOf(contents), [one, two]);
    for (const odd of [
      null,
      undefined,
      "x",
      7,
      [],
      { datasetId: "odd" },
      { datasetId: { id: one } },
    ])
      assert.equal(datasetsOf(odd), []);
  });

  test("a dashboard can have variants linked to their original, and each user has separate favourites", async () => {
    const { ada, bob, call, refusal, rows } = tenants;
    const [original, variant] = [await create(), await create()];
    const asVariant = { id: variant.id, resource: { role: "original", id: original.id } };
    const made = await call(ada, "securable", "associate", asVariant);
    assert.equal([made["original_id"], made["is_variant"]], [original.id, true]);
    const circle = { id: original.id, resource: { role: "original", id: variant.id } };
    assert.is((await refusal(ada, "securable", "associate", circle)).code, "CONFLICT");
    const itself = { id: original.id, resource: { role: "variants", id: original.id } };
    assert.is((await refusal(ada, "securable", "associate", itself)).code, "CONFLICT");

    for (const { id } of [original, variant])
      await call(ada, "securable", "associate", {
        id,
        resource: { role: "Users", id: bob.userId },
      });
    const favorite = { id: original.id, resource: { role: "favorites", id: variant.id } };
    await call(bob, "securable", "associate", favorite);
    const shown = async (who = ada) => {
      const include = [
        { model: "Securable", as: "favorites", attributes: ["id"] },
        { model: "Securable", as: "variants", attributes: ["id"] },
      ];
      const [row] = await rows(who, "securable", { where: { id: original.id }, include });
      const idsOf = (member: string) => ((row?.[member] ?? []) as Json[]).map(({ id }) => id);
      return [idsOf("favorites"), idsOf("variants")];
    };
    assert.equal(await shown(bob), [[variant.id], [variant.id]]);
    assert.equal(await shown(ada), [[], [variant.id]]);
    const inner = {
      where: { id: original.id },
      include: [{ model: "Securable", as: "favorites", jointype: "inner" }],
    };
    assert.is((await rows(bob, "securable", inner)).length, 1);
    assert.is((await rows(ada, "securable", inner)).length, 0);
    await call(ada, "securable", "dissociate", favorite);
    assert.equal((await shown(bob))[0], [variant.id]);
    await call(bob, "securable", "dissociate", favorite);
    assert.equal((await shown(bob))[0], []);
    const ended = await call(ada, "securable", "dissociate", {
      id: original.id,
      resource: { role: "variants", id: variant.id },
    });
    assert.is(ended.id, original.id);
    const [after] = await rows(ada, "securable", { where: { id: variant.id } });
    assert.equal([after?.["original_id"], after?.["is_variant"]], [null, false]);
  });
});
