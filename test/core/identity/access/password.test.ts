import * as assert from "uvu/assert";
import { hashPassword, isHashOf, storedForm } from "../../../../core/identity/access/password.ts";
import { withProductionHashes } from "../../../run/cheapHashes.ts";
import { suite } from "../../../support/suite.ts";

const salt = Buffer.from("000102030405060708090a0b0c0d0e0f", "hex");

/** From scrypt of Python's hashlib: N = 2^15, r = 8; p = 1 for the password, then p = 2 for that hash. */
const stages = [
  "dd702a209a98358fb3e423820f48cbb72b0a3cc453f7050a69ce02664e8430ee",
  "27a94877025e9da0a4b1e90c9cc1bb54930502a7d8d1d99bdc6137cf88a7b47e",
];

suite("core/identity/access/password", (test) => {
  test("a password takes three scrypt passes with 32 MiB, in two stages, in its NFKC form", async () => {
    const hashes = await withProductionHashes(() =>
      hashPassword("Cre\u0300me bru\u0302le\u0301e", salt),
    );
    assert.equal(
      hashes.map((hash) => hash.toString("hex")),
      stages,
    );
  });

  test("the last stage is stored, and the stage count identifies a hash of either stage", async () => {
    const hashes = await hashPassword("a password", salt);
    const stored = storedForm(hashes);
    assert.is(stored.stage_count, 2);
    assert.ok(isHashOf(stored, hashes));
    const [first] = hashes;
    assert.ok(first);
    assert.ok(isHashOf({ hash: first, stage_count: 1 }, hashes));
    assert.not.ok(isHashOf({ hash: first, stage_count: 2 }, hashes));
    assert.not.ok(isHashOf(stored, await hashPassword("a Password", salt)));
  });
});
