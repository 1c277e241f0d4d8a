import * as assert from "uvu/assert";
import { hashPassword, isHashOf, storedForm } from "../../../../core/identity/access/password.ts";
import { withProductionHashes } from "../../../run/cheapHashes.ts";
import { suite } from "../../../support/suite.ts";

const salt = Buffer.from("000102030405060708090a0b0c0d0e0f", "hex");

/**
 * Expected hashes from `scrypt` in Python's hashlib, with N = 2^15 and r = 8. The first entry hashes the password with
 * p = 1, and the second hashes the result of the first with p = 2.
 */
const stages = [
  "dd702a209a98358fb3e423820f48cbb72b0a3cc453f7050a69ce02664e8430ee",
  "27a94877025e9da0a4b1e90c9cc1bb54930502a7d8d1d99bdc6137cf88a7b47e",
];

suite("core/identity/access/password", (test) => {
  test("a password is normalized with NFKC and hashed by three scrypt passes of 32 MiB, in two stages", async () => {
    const hashes = await withProductionHashes(() =>
      hashPassword("Cre\u0300me bru\u0302le\u0301e", salt),
    );
    assert.equal(
      hashes.map((hash) => hash.toString("hex")),
      stages,
    );
  });

  test("a password matches a stored hash only after the number of stages that is stored with the hash", async () => {
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
