import * as assert from "uvu/assert";
import { replaceSecret } from "../../../../core/resources/sources/replaceSecret.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import { suite } from "../../../support/suite.ts";

suite("core/resources/sources/replaceSecret", (test) => {
  const nowMs = Date.parse("2030-01-01T00:00:00.000Z");
  const replace = (secret?: string, hours?: number, before: () => string = () => "former") =>
    replaceSecret({ secret, hours, before, nowMs });
  const ended = { previous_secret: null, previous_secret_until: null };

  test("the previous secret of a plugin is kept for a day, or as long as the caller requests", () => {
    const until = (text: string) => ({
      secret: "new",
      previous_secret: "former",
      previous_secret_until: new Date(text),
    });
    assert.equal(replace("new"), until("2030-01-02T00:00:00.000Z"));
    assert.equal(replace("new", 2), until("2030-01-01T02:00:00.000Z"));
  });

  test("the previous secret is not kept for 0 hours, for an unchanged secret or if the secret cannot be decrypted", () => {
    assert.equal(replace("new", 0), { secret: "new", ...ended });
    assert.equal(replace("former"), { secret: "former", ...ended });
    const lost = () => {
      throw new ApiError("SECRET_LOST", ["secret", "plugin", "1"]);
    };
    assert.equal(replace("new", undefined, lost), { secret: "new", ...ended });
    const broken = () => {
      throw new TypeError("broken");
    };
    assert.throws(() => replace("new", undefined, broken), /broken/);
  });

  test("without a new secret, only 0 hours are accepted, and they remove the previous secret", () => {
    assert.equal(replace(), {});
    assert.equal(replace(undefined, 0), ended);
    assert.throws(() => replace(undefined, 5), /properties\.keep_secret_hours .*with new_secret/);
  });
});
