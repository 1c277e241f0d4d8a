import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import { openTokens, type Tokens } from "../../identity/access/openTokens.ts";
import { suite } from "../../../support/suite.ts";

suite("core/resources/sharing/embedFilterGroup", (test) => {
  let tokens: Tokens;
  let id: string;
  test.before(async () => {
    tokens = await openTokens();
    id = (await tokens.call(tokens.ada, "embedfiltergroup", "create", { properties: {} })).id;
  });
  test.after(() => tokens.close());

  const filter = (more: object = {}) => ({
    clause: "where",
    origin: "global",
    securable_id: tokens.dataset,
    column_id: tokens.columns["city"],
    expression: "? = ?",
    value: "Ghent",
    ...more,
  });
  const body = (filters: unknown, dataset = tokens.dataset) => ({
    id,
    resource: { role: "Securables", id: dataset },
    properties: { filters },
  });
  const stored = () => tokens.catalog.knex("embedfiltergroup_securable").select("*");

  test("an organization has at most one filter group", async () => {
    const { ada, refusal, rows, eve, call } = tokens;
    const { code, status, message } = await refusal(ada, "embedfiltergroup", "create", {
      properties: {},
    });
    assert.equal([code, status], ["CONFLICT", 409]);
    assert.match(message, /^Only one EmbedFilterGroup allowed: associate datasets .* one, /);
    assert.match(message, id);
    assert.equal(
      (await rows(ada, "embedfiltergroup", { where: { id } })).map((row) => row.id),
      [id],
    );
    const other = await call(eve, "embedfiltergroup", "create", {});
    assert.equal(
      (await rows(eve, "embedfiltergroup", {})).map((row) => row.id),
      [other.id],
    );
  });

  test("only owners of the organization can create, see, fill and delete a filter group", async () => {
    const { ben, bob, ada, refusal, rows, mint, whoIs, dataset } = tokens;
    const self = await whoIs(await mint({ access: { datasets: [{ id: dataset }] } }));
    for (const other of [ben, bob, self]) {
      assert.equal(await rows(other, "embedfiltergroup", { where: { id } }), []);
      for (const action of ["associate", "dissociate", "delete"] as const)
        assert.is(
          (await refusal(other, "embedfiltergroup", action, body([filter()]))).code,
          "RECORD_NOT_FOUND",
        );
      const made = await refusal(other, "embedfiltergroup", "create", { properties: {} });
      assert.is(made.code, "FORBIDDEN");
    }
    assert.is((await rows(ada, "embedfiltergroup", { where: { id } })).length, 1);
  });

  test("`associate` and `dissociate` change a filter group's filters, whichever record comes first", async () => {
    const { ada, call, dataset, rows } = tokens;
    await call(ada, "embedfiltergroup", "associate", body([filter()]));
    assert.equal((await stored())[0]?.filters, [filter()]);
    const parameter = { parameter: "metadata.t", type: "array[hierarchy]" };
    const open = [filter({ expression: "? in ?", value: parameter })];
    await call(ada, "securable", "associate", {
      id: dataset,
      resource: { role: "EmbedFilterGroups", id },
      properties: { filters: open },
    });
    assert.equal(
      (await stored()).map(({ filters }) => filters),
      [open],
    );
    const [group] = await rows(ada, "embedfiltergroup", {
      where: { id },
      include: [{ model: "Securable" }],
    });
    const [seen] = (group?.["securables"] ?? []) as Record<string, Record<string, unknown>>[];
    assert.equal(seen?.["embedFilterGroupSecurable"]?.["filters"], open);
    await call(ada, "embedfiltergroup", "dissociate", {
      id,
      resource: { role: "Securables", id: dataset },
    });
    assert.equal(await stored(), []);
  });

  test("an invalid filter in a filter group changes nothing, and the error names its path", async () => {
    const { ada, refusal, otherDataset, dashboard, foreignDataset, foreignColumn } = tokens;
    const cases: readonly [unknown, RegExp][] = [
      [undefined, /properties\.filters/],
      [null, /properties\.filters/],
      [[], /properties\.filters/],
      [{}, /filters/],
      [["x"], /filters\[0\]/],
      [[filter(), filter({ origin: "itemFilter" })], /filters\[1\]\.origin/],
      [[filter({ clause: "having" })], /filters\[0\]\.clause/],
      [[filter({ securable_id: otherDataset })], /filters\[0\]\.securable_id/],
      [[filter({ column_id: foreignColumn })], /filters\[0\]\.column_id/],
      [[filter({ column_id: randomUUID() })], /filters\[0\]\.column_id/],
      [[filter({ value: 5 })], /string/],
      [[filter({ value: ["a"] })], /list/],
      [[filter({ value: { parameter: "metadata.t", type: "numeric" } })], /hierarchy/],
      [[filter({ value: { parameter: "metadata.t", type: "array[hierarchy]" } })], /list/],
      [[filter({ value: { parameter: "metadata.t", type: "hierarchy", value: 5 } })], /hierarchy/],
      [[filter({ value: { type: "hierarchy" } })], /filters\[0\]\.value.*not an object/],
      [[filter({ operator: "=" })], /operator/],
    ];
    for (const [filters, message] of cases) {
      const refused = await refusal(ada, "embedfiltergroup", "associate", body(filters));
      assert.is(refused.status, 400, `${JSON.stringify(filters)}: ${refused.message}`);
      assert.match(refused.message, message);
    }
    const dashboards = body([filter({ securable_id: dashboard })], dashboard);
    assert.match(
      (await refusal(ada, "embedfiltergroup", "associate", dashboards)).message,
      /dashboard, which has no rows/,
    );
    const foreign = body([filter({ securable_id: foreignDataset })], foreignDataset);
    assert.is(
      (await refusal(ada, "embedfiltergroup", "associate", foreign)).code,
      "RECORD_NOT_FOUND",
    );
    assert.equal(await stored(), []);
  });
});
