import * as assert from "uvu/assert";
import { authorization } from "../../../../core/resources/people/authorization.ts";
import { bounds } from "../../../../core/resources/people/explainToken.ts";
import { suite } from "../../../support/suite.ts";

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
});
