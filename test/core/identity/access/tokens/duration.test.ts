import * as assert from "uvu/assert";
import { parseExpiry } from "../../../../../core/identity/access/index.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/identity/access/tokens/duration", (test) => {
  test("an expiry is an instant that exists, in UTC if it names no time zone, or a duration from now", () => {
    const expiryOf = (text: string) => parseExpiry(text)?.toISOString();
    assert.is(expiryOf("2030-01-31"), "2030-01-31T00:00:00.000Z");
    assert.is(expiryOf("2030-01-31T12:00:00"), "2030-01-31T12:00:00.000Z");
    assert.is(expiryOf("2030-01-31T12:00:00+02:00"), "2030-01-31T10:00:00.000Z");
    for (const odd of ["2030-02-30", "2030-02-29", "2030-01-01 (noon)", "soon", "999999999 years"])
      assert.is(parseExpiry(odd), undefined, odd);
    assert.ok(Number(parseExpiry("1 day")) > Date.now());
  });
});
