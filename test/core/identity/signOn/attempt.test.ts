import * as assert from "uvu/assert";
import { createCipher } from "../../../../core/catalog/index.ts";
import {
  attemptMs,
  createAttempt,
  openAttempt,
  pathAtHost,
  sealAttempt,
} from "../../../../core/identity/signOn/attempt.ts";
import { testSecret } from "../../../support/openTestHost.ts";
import { suite } from "../../../support/suite.ts";

suite("core/identity/signOn/attempt", (test) => {
  const cipher = createCipher(testSecret);
  const other = createCipher("another secret, and long enough");

  test("a sealed sign-on attempt can be opened for ten minutes, and only by hosts with the same secret", () => {
    const attempt = createAttempt("id", "/data", 1_000);
    const sealed = sealAttempt(attempt, cipher);
    assert.equal(openAttempt(sealed, cipher, 1_000), attempt);
    assert.equal(openAttempt(sealed, cipher, 1_000 + attemptMs - 1), attempt);
    assert.is(openAttempt(sealed, cipher, 1_000 + attemptMs), undefined);
    assert.is(openAttempt(sealed, other, 1_000), undefined);
    for (const text of [undefined, "", "v1.", "v1.AAAA", "x", `${sealed}A`, "v".repeat(9_000)])
      assert.is(openAttempt(text, cipher, 1_000), undefined, String(text));
    assert.not.match(sealed, attempt.state);
  });

  test("no two sign-on attempts share a secret", () => {
    const [one, two] = [createAttempt("id", "/", 0), createAttempt("id", "/", 0)];
    const secrets = [one, two].flatMap(({ state, nonce, verifier }) => [state, nonce, verifier]);
    assert.is(new Set(secrets).size, 6);
    assert.ok(secrets.every((each) => each.length >= 43));
  });

  test("after sign-on, the browser is redirected only to paths of the host", () => {
    for (const path of ["/", "/explore?question=%7B%7D#a", "/data/1"])
      assert.is(pathAtHost(path), path);
    for (const path of [
      undefined,
      "",
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "javascript:alert(1)",
      "data",
      "/a\\b",
      "/a\r\nSet-Cookie: x",
      "/ä",
      `/${"a".repeat(3_000)}`,
    ])
      assert.is(pathAtHost(path), "/", String(path));
  });
});
