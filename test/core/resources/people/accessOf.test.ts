import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
interface Access {
  readonly records: readonly {
    readonly id: string;
    readonly right: string;
    readonly reasons: readonly (Json & { readonly kind: string })[];
  }[];
  readonly unseen_count: number;
}

suite("core/resources/people/accessOf", (test) => {
  let people: People;
  test.before(async () => {
    people = await openPeople();
  });
  test.after(() => people.close());

  const accessOf = async (by: Person, { id }: Person) => {
    const call = { action: "explain", ids: [id], options: { access: true }, ...by.pair };
    const { body } = await people.call("user", call);
    return (body["rows"] as { access: Access }[])[0]?.access;
  };

  test("an owner learns what a person sees, through which shares, and with which filters", async () => {
    const { owner } = people;
    const ada = await people.add("Ada");
    const dataset = await people.push();
    const filters = [
      {
        securable_id: dataset.id,
        column_id: dataset.columns["region"],
        expression: "? = ?",
        value: "north",
      },
    ];
    const group = await owner.create<{ id: string }>("group", { name: "Sales" });
    await owner.associate("group", group.id, { role: "Users", id: ada.id }, { flagMember: true });
    const read: Json = { flagRead: true };
    const use: Json = { flagRead: true, flagUse: true, filters };
    await owner.associate("securable", dataset.id, { role: "Users", id: ada.id }, read);
    await owner.associate("securable", dataset.id, { role: "Groups", id: group.id }, use);
    const access = await accessOf(owner, ada);
    assert.is(access?.unseen_count, 0);
    const [record] = access?.records ?? [];
    assert.equal([record?.id, record?.right], [dataset.id, "use"]);
    assert.equal(
      record?.reasons.map(({ kind, right, filters: given }) => [kind, right, given]),
      [
        ["user", "read", null],
        ["group", "use", filters],
      ],
    );
  });

  test("records that the owner cannot see are counted, and their filters are never shown", async () => {
    const { owner } = people;
    const ben = await people.add("Ben", {}, { flagEditor: true });
    const cleo = await people.add("Cleo");
    const secret = await people.push(ben);
    const filters = [
      {
        securable_id: secret.id,
        column_id: secret.columns["region"],
        expression: "? = ?",
        value: "south",
      },
    ];
    const share: Json = { flagRead: true, flagUse: true, filters };
    await ben.associate("securable", secret.id, { role: "Users", id: cleo.id }, share);
    const hidden = await accessOf(owner, cleo);
    assert.equal([hidden?.records, hidden?.unseen_count], [[], 1]);
    await ben.associate(
      "securable",
      secret.id,
      { role: "Users", id: owner.id },
      { flagRead: true },
    );
    const shown = await accessOf(owner, cleo);
    assert.is(shown?.records.length, 1);
    assert.is(shown?.records[0]?.reasons[0]?.["is_filtered"], true);
    assert.not(JSON.stringify(shown).includes("south"));
  });

  test("a member learns nothing about other people", async () => {
    const dora = await people.add("Dora");
    const eli = await people.add("Eli");
    assert.is(await accessOf(dora, eli), undefined);
    assert.equal((await accessOf(dora, dora))?.records, []);
  });
});
