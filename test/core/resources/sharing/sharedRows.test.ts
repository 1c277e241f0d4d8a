import * as assert from "uvu/assert";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type Dataset, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
type Made = Json & { readonly id: string };

suite("core/host: the rows that a share shows", (test) => {
  let people: People;
  test.before(async () => {
    people = await openPeople();
  });
  test.after(() => people.close());

  const isRegion = ({ id, columns }: Dataset, value: string, expression = "? = ?") => ({
    securable_id: id,
    column_id: columns["region"],
    expression,
    value,
  });
  const share = (
    by: Person,
    id: string,
    target: { role: string; id: string },
    properties: Json = {},
  ) => by.associate("securable", id, target, { flagRead: true, flagUse: true, ...properties });
  const sumFor = async (
    pair: { key: string; token?: string },
    dataset: Dataset,
  ): Promise<unknown> => {
    const { status, body } = await people.call("data", {
      action: "get",
      find: sumOf(dataset),
      ...pair,
    });
    const data = body["data"] as unknown[][] | undefined;
    return status === 200 ? data?.[0]?.[0] : status;
  };
  /** Creates a private link to a dashboard over the dataset. Dashboard and dataset are in the Public group. */
  const linkTo = async (dataset: Dataset, filters: readonly object[], by = people.owner) => {
    const board = await by.create<Made>("securable", { type: "dashboard" }, [
      { role: "Datasets", id: dataset.id },
    ]);
    const target = { role: "Groups", id: people.publicGroup };
    await share(by, board.id, target);
    await share(people.owner, dataset.id, target, { filters });
    const link = await by.create<Made>("share", {});
    await by.associate("share", link.id, { role: "Dashboard", id: board.id });
    return { key: link.id };
  };

  test("filters of the Public group restrict a private link's visitors, even if the dataset's owner created the link", async () => {
    const dataset = await people.push();
    const visitor = await linkTo(dataset, [isRegion(dataset, "north")]);
    assert.is(await sumFor(visitor, dataset), 6);
    assert.is(await sumFor(people.owner.pair, dataset), 21);
    await share(
      people.owner,
      dataset.id,
      { role: "Groups", id: people.publicGroup },
      { filters: [] },
    );
    assert.is(await sumFor(visitor, dataset), 21);
  });

  test("the share filters that apply to the creator of a private link also apply to its visitors", async () => {
    const { owner } = people;
    const maker = await people.add("maker");
    const group = await owner.create<Made>("group", { name: "Makers" });
    const integration = await owner.create<Made>("integration", { name: { en: "Page" } });
    for (const [resource, id, flags] of [
      ["group", group.id, { flagMember: true }],
      ["integration", integration.id, { flagRead: true }],
    ] as const)
      await owner.associate(resource, id, { role: "Users", id: maker.id }, flags);
    for (const target of [
      { role: "Users", id: maker.id },
      { role: "Groups", id: group.id },
      { role: "Integrations", id: integration.id },
    ]) {
      const dataset = await people.push();
      await share(owner, dataset.id, target, { filters: [isRegion(dataset, "north")] });
      const visitor = await linkTo(dataset, [], maker);
      assert.is(await sumFor(visitor, dataset), 6, target.role);
      assert.is(await sumFor(maker.pair, dataset), 6, target.role);
      await share(
        owner,
        dataset.id,
        { role: "Groups", id: people.publicGroup },
        {
          filters: [isRegion(dataset, "south")],
        },
      );
      assert.is(await sumFor(visitor, dataset), null, `${target.role} and Public`);
    }
  });

  test("filters on the share of a dashboard are refused, because a dashboard has no rows", async () => {
    const { owner, publicGroup } = people;
    const user = await people.add("reader");
    const dataset = await people.push();
    const board = await owner.create<Made>("securable", { type: "dashboard" });
    const group = await owner.create<Made>("group", { name: "Readers" });
    const integration = await owner.create<Made>("integration", { name: { en: "Site" } });
    for (const target of [
      { role: "Users", id: user.id },
      { role: "Groups", id: group.id },
      { role: "Groups", id: publicGroup },
      { role: "Integrations", id: integration.id },
    ]) {
      const filters = [isRegion(dataset, "north")];
      const answer = await refused(share(owner, board.id, target, { filters }));
      assert.is(answer.status, 400, target.role);
    }
  });

  test("only members of a group can use the records shared with it", async () => {
    const { owner } = people;
    const colleague = await people.add("colleague");
    const group = await owner.create<Made>("group", { name: "Analysts" });
    const dataset = await people.push();
    await share(owner, dataset.id, { role: "Groups", id: group.id });
    const target = { role: "Users", id: colleague.id };
    const cases: readonly (readonly [Json | undefined, boolean])[] = [
      [undefined, true],
      [{ flagRead: true, flagMember: false }, false],
      [{ flagRead: true }, false],
      [{ flagMember: true }, true],
      [{ flagMember: false }, false],
      [{ flagUse: true }, true],
      [{ flagOwn: true }, true],
      [{}, true],
    ];
    for (const [flags, isMember] of cases) {
      await owner.associate("group", group.id, target, flags);
      const said = JSON.stringify(flags);
      assert.is(await sumFor(colleague.pair, dataset), isMember ? 21 : 404, said);
      const seen = await colleague.get("group", { where: { id: group.id } });
      assert.is(seen.rows.length, 1, `${said} sees the group`);
      const own = await people.push(await editor());
      const giving = share(await editor(), own.id, { role: "Groups", id: group.id });
      assert.is((await refused(giving)).status, 404, "who does not see the group");
    }
    await owner.associate("group", group.id, target, { flagRead: true });
    const own = await people.push(colleague);
    const give = () => share(colleague, own.id, { role: "Groups", id: group.id });
    assert.is((await refused(give())).status, 403, "a reader of a group cannot share with it");
    await owner.associate("group", group.id, target);
    await give();
    await owner.dissociate("group", group.id, target);
    assert.is(await sumFor(colleague.pair, dataset), 404);
  });
  let known: Promise<Person> | undefined;
  const editor = (): Promise<Person> => (known ??= people.add("editor", {}, { flagEditor: true }));

  test("a token's metadata sets parameters without an override, and takes precedence over their defaults", async () => {
    const dataset = await people.push();
    const parameter = (more: Json = {}) => [
      {
        securable_id: dataset.id,
        column_id: dataset.columns["region"],
        expression: "? in ?",
        value: { parameter: "metadata.regions", type: "array[hierarchy]", ...more },
      },
    ];
    const access = { datasets: [{ id: dataset.id, rights: "use" }] };
    const sumWith = async (properties: Json) => {
      const token = await people.mint({ access, ...properties });
      return sumFor(token.pair, dataset);
    };
    const filters = parameter({ value: ["north", "south"] });
    assert.is(await sumWith({ filters }), 21);
    assert.is(await sumWith({ filters, metadata: { regions: ["north"] } }), 6);
    assert.is(await sumWith({ filters, metadata: { regions: [] } }), null);
    assert.is(await sumWith({ filters: parameter(), metadata: { regions: ["south"] } }), 15);
    const both = {
      metadata: { regions: ["north"] },
      parameter_overrides: { regions: ["south"] },
    };
    assert.is(await sumWith({ filters, ...both }), 15);
    for (const regions of ["north", 5, null, { a: 1 }, [1], true]) {
      const made = people.mint({ access, filters, metadata: { regions } });
      assert.is((await refused(made)).status, 400, JSON.stringify(regions));
    }
    const { owner } = people;
    const colleague = await people.add("of-metadata", { metadata: { regions: ["north"] } });
    const target = { role: "Users", id: colleague.id };
    await share(owner, dataset.id, target, { filters });
    assert.is(await sumFor(colleague.pair, dataset), 6);
    await owner.update("user", colleague.id, { parameter_overrides: { regions: ["south"] } });
    assert.is(await sumFor(colleague.pair, dataset), 15);
    await owner.update("user", colleague.id, { parameter_overrides: null, metadata: null });
    assert.is(await sumFor(colleague.pair, dataset), 21);
    await owner.update("user", colleague.id, { metadata: { regions: "north" } });
    assert.is(await sumFor(colleague.pair, dataset), 403, "of another type than the parameter");
  });

  test("a token's metadata takes precedence over its user's metadata, but not over its user's overrides", async () => {
    const { owner } = people;
    const dataset = await people.push();
    const value = { parameter: "metadata.region", type: "hierarchy", value: "none" };
    const filters = [{ ...isRegion(dataset, ""), value }];
    const access = { datasets: [{ id: dataset.id, rights: "use" }] };
    const mint = (metadata?: Json) =>
      people.mint({ username: "u-metadata", access, filters, ...(metadata && { metadata }) });
    const [bare, said] = [await mint(), await mint({ region: "south" })];
    const sums = async () => [await sumFor(bare.pair, dataset), await sumFor(said.pair, dataset)];
    await owner.update("user", bare.id, { metadata: { region: "north" } });
    assert.equal(await sums(), [6, 15]);
    await owner.update("user", bare.id, { parameter_overrides: { region: "north" } });
    assert.equal(await sums(), [6, 6]);
  });

  test("only a token's filters can test groups, and a filter of unknown origin is refused", async () => {
    const { owner } = people;
    const dataset = await people.push();
    const access = { datasets: [{ id: dataset.id, rights: "use" }] };
    const filter = {
      ...isRegion(dataset, "north"),
      column_id: dataset.columns["km"],
      clause: "having",
      expression: "? > ?",
      value: 10,
    };
    const user = await people.add("under-having");
    const group =
      (await owner.get("embedfiltergroup")).rows[0]?.["id"] ??
      (await owner.create<Made>("embedfiltergroup", {})).id;
    const target = { role: "Securables", id: dataset.id };
    for (const origin of ["global", undefined, "Global", "any"]) {
      const filters = [{ ...filter, ...(origin && { origin }) }];
      const isKnown = origin === "global" || origin === undefined;
      for (const call of [
        ...(isKnown ? [] : [() => people.mint({ access, filters })]),
        () => share(owner, dataset.id, { role: "Users", id: user.id }, { filters }),
        () => owner.associate<object>("embedfiltergroup", String(group), target, { filters }),
      ])
        assert.is((await refused(call())).status, 400, origin);
    }
    const regions = { dimensions: [{ ...sumOf(dataset).measures[0], ...isDimension(dataset) }] };
    const bound = await people.mint({ access, filters: [filter] });
    const { data } = await bound.get<{ data: unknown[][] }>("data", regions);
    assert.is(data.length, 1, "north has 6, south 15");
    const shown = await people.mint({ access, filters: [{ ...filter, origin: "chart" }] });
    assert.is(await sumFor(shown.pair, dataset), 21, "a display filter restricts nothing");
  });
  const isDimension = ({ columns }: Dataset) => ({
    column_id: columns["region"],
    aggregation: undefined,
  });
});
