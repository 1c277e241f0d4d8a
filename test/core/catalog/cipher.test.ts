import * as assert from "uvu/assert";
import { createCipher, keyIdOf, markWith } from "../../../core/catalog/index.ts";
import { suite } from "../../support/suite.ts";

suite("core/catalog/cipher", (test) => {
  const cipher = createCipher("a secret for tests only");
  const texts = ["", "x", "pässwörd 🔑", "\u0000\u0001", "a".repeat(100_000)];

  test("opening a sealed string returns the original string", () => {
    for (const text of texts)
      assert.is(cipher.open(cipher.seal(text, "account.token.1"), "account.token.1"), text);
  });

  test("sealing a string twice gives different results, neither of which contains the string", () => {
    const sealed = Array.from({ length: 50 }, () => cipher.seal("canary", "c"));
    assert.is(new Set(sealed).size, 50);
    for (const each of sealed)
      assert.not(each.includes("canary") || Buffer.from(each, "base64url").includes("canary"));
  });

  test("a sealed string can be opened only in the context in which it was sealed", () => {
    const sealed = cipher.seal("text", "account.token.1");
    assert.throws(() => cipher.open(sealed, "account.token.2"), /cannot be decrypted/);
    assert.throws(() => cipher.open(sealed, "account.code.1"), /cannot be decrypted/);
  });

  test("a sealed string can be opened only with the secret that sealed it", () => {
    const sealed = cipher.seal("text", "c");
    assert.throws(
      () => createCipher("another secret for tests").open(sealed, "c"),
      /MANIFOLD_SECRET was changed/,
    );
    assert.is(createCipher("a secret for tests only").open(sealed, "c"), "text");
  });

  test("a sealed string with a changed bit cannot be opened", () => {
    const sealed = cipher.seal("some text", "c");
    const bytes = Buffer.from(sealed.slice(3), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      assert.throws(
        () => cipher.open(`v1.${altered.toString("base64url")}`, "c"),
        /cannot be decrypted/,
      );
    }
  });

  test("opening a string in another format fails without repeating the string", () => {
    for (const odd of ["", "v1", "v1.", "v2.AAAA", "canary", "v1.canary"]) {
      try {
        cipher.open(odd, "account.token.1");
        assert.unreachable(odd);
      } catch (failure) {
        assert.not((failure as Error).message.includes("canary"));
        assert.match((failure as Error).message, /unknown format|cannot be decrypted/);
      }
    }
  });

  test("a cipher requires a secret of at least the minimum length", () => {
    assert.throws(() => createCipher("short"), /at least 16/);
    assert.throws(() => createCipher("a secret for tests only", ["short"]), /at least 16/);
  });

  test("strings sealed with a former secret can be opened, and new strings are sealed with the host's secret", () => {
    const [one, other] = ["a secret for tests only", "another secret for tests"];
    const changed = createCipher(other, [one]);
    for (const text of texts) {
      const sealed = cipher.seal(text, "c");
      assert.is(keyIdOf(sealed), cipher.keyId);
      const unnamed = sealed.slice(0, sealed.lastIndexOf("."));
      for (const each of [sealed, unnamed]) {
        assert.is(changed.open(each, "c"), text);
        assert.throws(() => changed.open(each, "d"), /cannot be decrypted/);
        const fresh = changed.reseal(each, "c") ?? "";
        assert.is(createCipher(other).open(fresh, "c"), text);
        assert.is(changed.reseal(fresh, "c"), undefined);
        assert.throws(() => cipher.open(fresh, "c"), /MANIFOLD_SECRET was changed/);
      }
    }
  });

  test("a sealed string that names a key other than the key that sealed it cannot be opened", () => {
    const changed = createCipher("another secret for tests", ["a secret for tests only"]);
    const [form, body] = cipher.seal("text", "c").split(".");
    for (const id of [changed.keyId, "00000000", "", cipher.keyId.slice(0, 7)])
      assert.throws(() => changed.open(`${form}.${body}.${id}`, "c"), /cannot be decrypted/);
  });

  test("a signature can be verified only with the key of its secret", () => {
    const changed = createCipher("another secret for tests", ["a secret for tests only"]);
    const key = changed.markKeys.get(cipher.keyId) ?? Buffer.alloc(0);
    assert.is(markWith(cipher.keyId, key, "event"), cipher.mark("event"));
    assert.is.not(changed.mark("event"), cipher.mark("event"));
    assert.equal([...cipher.markKeys.keys()], [cipher.keyId]);
  });
});
