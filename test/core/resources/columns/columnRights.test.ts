import * as assert from "uvu/assert";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type Dataset, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
type Made = Json & { readonly id: string };

suite("core/host: who may change the columns of a dataset", (test) => {
  let people: People;
  let modifier: Person;
  test.before(async () => {
    people = await openPeople();
    modifier = await people.add("modifier");
  });
  test.after(() => people.close());

  const share = (dataset: Dataset, who: Person, properties: Json, by = people.owner) =>
    by.associate("securable", dataset.id, { role: "Users", id: who.id }, properties);
  const shared = async (by?: Person): Promise<Dataset> => {
    const dataset = await people.push(by);
    await share(dataset, modifier, { flagModify: true }, by);
    return dataset;
  };
  const idOf = ({ columns }: Dataset, name: string): string => String(columns[name]);
  const statusOf = async (call: Promise<unknown>) => (await refused(call)).status;
  const sumAs = async (who: Person, dataset: Dataset): Promise<unknown> =>
    (await who.get<{ data: unknown[][] }>("data", sumOf(dataset))).data[0]?.[0];
  const derive = (dataset: Dataset, expression: string, by: Person = people.owner) =>
    by.create<Made>("column", { order: 9, name: { en: "Derived" }, expression }, [
      { role: "Securable", id: dataset.id },
    ]);
  const regionOf = (dataset: Dataset) => `{${dataset.id}:${idOf(dataset, "region")}}`;

  test("only a dataset's owners can move its column to another dataset, whichever record the call names first", async () => {
    const { owner } = people;
    const dataset = await shared();
    const own = await people.push(modifier);
    const region = idOf(dataset, "region");
    await owner.update("hierarchy", region, { updates: [{ id: "south", name: { en: "South" } }] });
    const to = { role: "Securable", id: own.id };
    assert.is(await statusOf(modifier.associate("column", region, to)), 403);
    const columns = { role: "Columns", id: region } as const;
    assert.is(await statusOf(modifier.associate("securable", own.id, columns)), 403);
    const create = modifier.create("securable", { type: "dataset" }, [columns]);
    assert.is(await statusOf(create), 403);
    assert.is(await statusOf(modifier.delete("column", region)), 403);
    const { rows } = await owner.get("column", { where: { id: region } });
    assert.is(rows[0]?.["securable_id"], dataset.id);
  });

  test("a column that is removed from a dataset belongs to the dataset's owner, whoever created or removed the column", async () => {
    const { owner } = people;
    const dataset = await shared();
    const made = await derive(dataset, `upper(${regionOf(dataset)})`, modifier);
    const from = { role: "Columns", id: made.id };
    await modifier.dissociate("securable", dataset.id, from);
    assert.is(await statusOf(modifier.associate("securable", dataset.id, from)), 404);
    await owner.associate("securable", dataset.id, from);
  });

  test("only a dataset's owners can move its schedules, hierarchy levels and formulas to other records", async () => {
    const { owner } = people;
    const dataset = await shared();
    const own = await people.push(modifier);
    const schedule = await owner.create<Made>("schedule", { frequency: 60 }, [
      { role: "Securable", id: dataset.id },
    ]);
    const level = await owner.create<Made>("hierarchylevel", { name: { en: "Top" } }, [
      { role: "Column", id: idOf(dataset, "region") },
    ]);
    const expression = `SUM({${dataset.id}:${idOf(dataset, "km")}})`;
    const formula = await owner.create<Made>("formula", { name: { en: "F" }, expression }, [
      { role: "Securables", id: dataset.id },
    ]);
    for (const [resource, id, role, target] of [
      ["schedule", schedule.id, "Securable", own.id],
      ["hierarchylevel", level.id, "Column", idOf(own, "region")],
      ["formula", formula.id, "Securables", own.id],
    ] as const) {
      const answer = await refused(modifier.associate(resource, id, { role, id: target }));
      assert.is(answer.status, 403, resource);
      assert.is(await statusOf(modifier.delete(resource, id)), 403, resource);
    }
    const ofOwner = await people.push();
    await owner.associate("schedule", schedule.id, { role: "Securable", id: ofOwner.id });
    await owner.associate("formula", formula.id, { role: "Securables", id: ofOwner.id });
  });

  const filtersOf = (dataset: Dataset, column_id: string, value: unknown = "NORTH") => [
    { securable_id: dataset.id, column_id, expression: "? = ?", value },
  ];
  /** Tries every change that affects a filter on a column, as a user who has only the `modify` right on the dataset. */
  const attempts = async (dataset: Dataset, derivedId: string) => {
    const own = await people.push(modifier);
    const region = idOf(dataset, "region");
    const from = { role: "Securable", id: dataset.id };
    return [
      modifier.update("column", derivedId, { expression: "'NORTH'" }),
      modifier.update("column", derivedId, { hidden: true }),
      modifier.update("column", derivedId, { subtype: "ip_address" }),
      modifier.update("column", region, { hidden: true }),
      modifier.update("column", region, { informat: "numeric" }),
      modifier.update("column", region, { order: 5 }),
      modifier.update("column", idOf(dataset, "km"), { order: -1 }),
      modifier.dissociate("column", derivedId, from),
      modifier.dissociate("column", region, from),
      modifier.dissociate("securable", dataset.id, { role: "Columns", id: region }),
      modifier.associate("column", region, { role: "Securable", id: own.id }),
      modifier.delete("column", region),
      modifier.delete("column", derivedId),
    ].map(async (attempt) => (await refused(attempt)).status);
  };
  const harmless = {
    name: { en: "Region" },
    description: { en: "Where the trip began" },
    format: "x",
  };

  for (const kind of ["a share", "the embed filter group", "a token"])
    test(`users with only the right to modify a dataset cannot change the columns that a filter of ${kind} uses`, async () => {
      const { owner } = people;
      const dataset = await shared();
      const derived = await derive(dataset, `upper(${regionOf(dataset)})`);
      const filters = filtersOf(dataset, derived.id);
      const reader = await people.add(`reader-${kind.replaceAll(" ", "-")}`);
      const access = { datasets: [{ id: dataset.id, rights: "use" }] };
      if (kind === "a share") await share(dataset, reader, { flagUse: true, filters });
      const token = await people.mint({ access, ...(kind === "a token" && { filters }) });
      if (kind === "the embed filter group") {
        const found = await owner.get("embedfiltergroup");
        const id = found.rows[0]?.["id"] ?? (await owner.create<Made>("embedfiltergroup", {})).id;
        await owner.associate<object>(
          "embedfiltergroup",
          String(id),
          { role: "Securables", id: dataset.id },
          { filters },
        );
      }
      const bound = kind === "a share" ? reader : token;
      assert.is(await sumAs(bound, dataset), 6);
      const statuses = await Promise.all(await attempts(dataset, derived.id));
      assert.equal(
        statuses,
        statuses.map(() => 403),
      );
      const answer = await refused(
        modifier.update("column", derived.id, { expression: "'NORTH'" }),
      );
      const named = kind === "a share" ? "a share of the dataset" : kind;
      assert.ok(answer.message.includes(named), answer.message);
      assert.not.ok(/NORTH|reader/.test(answer.message), "nothing about the filter is revealed");
      await modifier.update("column", derived.id, harmless);
      await modifier.update("column", idOf(dataset, "region"), harmless);
      assert.is(await sumAs(bound, dataset), 6);
      await owner.update("column", derived.id, { expression: `lower(${regionOf(dataset)})` });
      assert.is(await sumAs(bound, dataset), null);
    });

  test("no other column can take the name of a filtered column, because pushes find the column by its name", async () => {
    const { owner } = people;
    const dataset = await shared();
    await people.mint({
      access: { datasets: [{ id: dataset.id, rights: "use" }] },
      filters: filtersOf(dataset, idOf(dataset, "region")),
    });
    const push = (header: string[], data: unknown[][], id = dataset.id, more: Json = {}) =>
      owner.create("data", { securable_id: id, data, options: { header, ...more } });
    await modifier.create(
      "column",
      { order: 99, name: { en: "Second" }, source_name: "region", type: "hierarchy" },
      [{ role: "Securable", id: dataset.id }],
    );
    for (const more of [{}, { update_metadata: true }]) {
      const answer = await refused(push(["region"], [["south"]], dataset.id, more));
      assert.is(answer.status, 400);
      assert.match(answer.message, "region");
    }

    const made = await owner.create<Made>("securable", { type: "dataset", name: { en: "Hand" } });
    const column = (name: string, order: number) =>
      owner.create<Made>("column", { type: "hierarchy", order, name: { en: name } }, [
        { role: "Securable", id: made.id },
      ]);
    const [filtered, free] = [await column("region", 0), await column("city", 1)];
    await owner.associate(
      "securable",
      made.id,
      { role: "Users", id: modifier.id },
      { flagModify: true },
    );
    const filter = { securable_id: made.id, column_id: filtered.id, expression: "? = ?" };
    await people.mint({
      access: { datasets: [{ id: made.id, rights: "use" }] },
      filters: [{ ...filter, value: "north" }],
    });
    await push(["region", "city"], [["north", "a"]], made.id);
    assert.is(await statusOf(modifier.update("column", filtered.id, { name: { en: "x" } })), 403);
    await modifier.update("column", filtered.id, { name: { en: "region" } });
    await modifier.update("column", free.id, { name: { en: "region" } });
    assert.is(await statusOf(push(["region"], [["south"]], made.id)), 400);
  });

  test("even an owner's push fails if it removes a column that a token's filter uses", async () => {
    const pusher = await people.add("pusher", {}, { flagEditor: true });
    const dataset = await people.push(pusher);
    await share(dataset, people.owner, { flagUse: true }, pusher);
    const filters = filtersOf(dataset, idOf(dataset, "region"), "north");
    const access = { datasets: [{ id: dataset.id, rights: "use" }] };
    const token = await people.mint({ access, filters });
    const replace = (header: string[], row: unknown[]) =>
      pusher.create("data", {
        type: "replace",
        securable_id: dataset.id,
        data: [row],
        options: { header, update_metadata: true },
      });
    const answer = await refused(replace(["km"], [7]));
    assert.equal([answer.status, /a token/.test(answer.message)], [403, true]);
    assert.is(await sumAs(token, dataset), 6);
    await replace(["km", "region", "extra"], [7, "north", "x"]);
    assert.is(await sumAs(token, dataset), 7);
    await people.owner.delete("authorization", token.pair.key);
    await replace(["km"], [8]);
  });

  test("a source column that an owner removed stays removed until an owner restores it", async () => {
    const { owner } = people;
    for (const take of ["delete", "dissociate"] as const) {
      const dataset = await people.connect();
      await share(dataset, modifier, { flagModify: true });
      const salary = idOf(dataset, "salary");
      if (take === "delete") await owner.delete("column", salary);
      else await owner.dissociate("column", salary, { role: "Securable", id: dataset.id });
      const bring = async (by: Person, source_name: string) => {
        const type = "numeric";
        const column = await by.create<Made>("column", { order: 9, source_name, type });
        await by.associate("column", column.id, { role: "Securable", id: dataset.id });
        return column.id;
      };
      for (const name of ["salary", "SALARY", " Salary ", "sàlary"])
        assert.is(await statusOf(bring(modifier, name)), 403, name);
      await bring(modifier, "km");
      const back = await bring(owner, "salary");
      const again = { id: dataset.id, columns: { salary: back } };
      const { data } = await modifier.get<{ data: unknown[][] }>("data", sumOf(again, "salary"));
      assert.equal(data, [[21_000]]);
      await modifier.dissociate("column", back, { role: "Securable", id: dataset.id });
      await bring(modifier, "salary");
    }
  });
});
