import * as assert from "uvu/assert";
import { authorization } from "../../../../core/resources/people/authorization.ts";
import { bounds } from "../../../../core/resources/people/explainToken.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople } from "../../openPeople.ts";

/**
 * Members of a token that do not affect which records and rows the token sees: its purpose, lifetime, sources and size.
 */
const others =
  "id description expiry inactivity_interval token_hash parent_id ssoconfig_id name email suborganization iq " +
  "screenmode width height allowed_origins allowed_addresses ip factor proved_at device last_used_at deleted_at created_at updated_at";

suite("core/resources/people/explainToken", (test) => {
  test("the token that `explain` creates copies every member that affects what the original token sees", () => {
    const members = Object.keys(authorization.fields);
    assert.ok(members.length > 30);
    assert.equal([...bounds, ...others.split(" ")].toSorted(), members.toSorted());
  });

  test("the columns of a dataset are listed in the order of the dataset", async () => {
    const people = await openPeople();
    try {
      const { owner } = people;
      const dataset = await people.push();
      const { region = "", km = "" } = dataset.columns;
      const token = await people.mint({
        username: "reader",
        access: { datasets: [{ id: dataset.id, rights: "use" }] },
      });
      const namesOf = async () => {
        const explained = await owner.explain("authorization", { id: token.pair.key });
        return explained.datasets[0]?.columns.map(({ id }) => (id === km ? "km" : "region"));
      };
      for (const [first, second, names] of [
        [region, km, ["region", "km"]],
        [km, region, ["km", "region"]],
      ] as const) {
        await owner.update("column", first, { order: 0 });
        await owner.update("column", second, { order: 1 });
        assert.equal(await namesOf(), names);
      }
    } finally {
      await people.close();
    }
  });
});
