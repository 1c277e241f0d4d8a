import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import {
  createPasswordCheck,
  createSignIn,
  type SignIn,
} from "../../../../core/identity/access/index.ts";
import { hashPassword, type PasswordHashes } from "../../../../core/identity/access/password.ts";
import { replaceRecoveryCodes } from "../../../../core/identity/factors/recoveryCodes.ts";
import { refusal } from "../../../support/refused.ts";
import { signInParts } from "../../../support/signInParts.ts";
import { suite } from "../../../support/suite.ts";
import { openTokens, type Tokens } from "./openTokens.ts";

const password = "correct horse battery";
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

suite("core/identity/access/knownDevices", (test) => {
  let tokens: Tokens;
  let signIn: SignIn;
  let nowMs = Date.now();
  let hashCount = 0;
  let isAddressClosed = false;
  const refusing = (): PasswordHashes => [Buffer.alloc(32), Buffer.alloc(32)];

  test.before(async () => {
    tokens = await openTokens();
    const { catalog, records } = tokens;
    const now = () => nowMs;
    const parts = signInParts({ catalog, records, tries: 5, now });
    const limits = {
      admit: () => {
        if (isAddressClosed) throw new Error("the address is blocked");
      },
      failed: () => undefined,
    };
    const checkPassword = createPasswordCheck({
      catalog,
      limits,
      waits: parts.waits,
      now,
      hash: async (given, salt) => {
        hashCount++;
        return given === password ? hashPassword(given, salt) : refusing();
      },
    });
    signIn = createSignIn({ records, limits, ...parts, checkPassword, now });
    for (const { userId } of [tokens.ben, tokens.ada])
      await tokens.call(tokens.ada, "user", "update", {
        id: userId,
        properties: { password, ...(userId === tokens.ada.userId && { old_password: password }) },
      });
  });
  test.after(() => tokens.close());

  /** Signs in and returns the new secret of the known device. */
  const enter = async (email: string, knownDevice?: string, given = password): Promise<string> => {
    let secret = "";
    const caller = {
      address: "10.0.0.1",
      requestId: "r",
      knownDevice,
      remember: ({ value }: { readonly value: string }) => {
        secret = value;
      },
    };
    await signIn({ email, password: given }, caller);
    return secret;
  };
  /** Guesses passwords from many addresses until a given instant, as often as the required waits allow. */
  const attackUntil = async (email: string, endMs: number, each?: () => Promise<void>) => {
    let guesses = 0;
    while (nowMs < endMs) {
      const caller = { address: `10.${guesses % 250}.0.1`, requestId: "r" };
      const failure = (await refusal(signIn({ email, password: "wrong" }, caller))) as {
        code: string;
        retryAfterS?: number;
      };
      if (failure.code === "UNAUTHORIZED") guesses++;
      else nowMs = Math.min(endMs, nowMs + (failure.retryAfterS ?? 1) * 1000);
      await each?.();
    }
    return guesses;
  };

  test("strangers can guess at most 40 passwords of a user per day, and never lock out the user's known devices", async () => {
    const { ben } = tokens;
    let device = await enter(ben.email);
    const guesses = await attackUntil(ben.email, nowMs + dayMs, async () => {
      device = await enter(ben.email, device);
    });
    assert.ok(guesses <= 40, String(guesses));
    nowMs += 2 * hourMs;
    for (let time = 0; time < 5; time++)
      await refusal(
        signIn({ email: ben.email, password: "wrong" }, { address: "x", requestId: "r" }),
      );
    const closed = await refusal(enter(ben.email));
    assert.equal([closed.code, closed.status], ["SIGN_INS_TOO_MANY", 429]);
    assert.match(closed.message, /a device that you used before.*passkey.*recovery code/);
    const before = hashCount;
    await refusal(enter(ben.email));
    assert.is(
      hashCount,
      before,
      "a guess that is refused because of a wait does not hash the password",
    );
    nowMs += hourMs;
    await enter(ben.email);
  });

  test("a known device can sign in from a network that is blocked because of failed sign-ins", async () => {
    const device = await enter(tokens.ben.email);
    isAddressClosed = true;
    try {
      await enter(tokens.ben.email, device);
      assert.match(
        (await enter(tokens.ben.email).catch((failure: Error) => failure.message)) as string,
        "blocked",
      );
    } finally {
      isAddressClosed = false;
    }
  });

  test("waits after failed sign-ins are the same for e-mail addresses with and without an account", async () => {
    const seen = async (email: string) => {
      const said: string[] = [];
      for (let time = 0; time < 7; time++) {
        const { code, status, message, retryAfterS } = (await refusal(
          signIn({ email, password: "wrong" }, { address: "a", requestId: "r" }),
        )) as { code: string; status: number; message: string; retryAfterS?: number };
        said.push(`${code} ${status} ${message} ${retryAfterS}`);
      }
      return said;
    };
    assert.equal(await seen("nobody@example.org"), await seen(tokens.ada.email));
    nowMs += hourMs;
  });

  test("a device is known only for its user, only with its latest secret, and only until the password changes", async () => {
    const { ada, ben, catalog } = tokens;
    nowMs += dayMs;
    const first = await enter(ben.email);
    const second = await enter(ben.email, first);
    assert.is.not(first, second);
    for (const [email, device, isKnown] of [
      [ben.email, second, true],
      [ben.email, first, false],
      [ada.email, second, false],
      [ben.email, "x".repeat(43), false],
      [ben.email, "'; drop table known_device; --", false],
    ] as const) {
      await catalog.knex("attempt_wait").delete();
      await refusal(enter(email, device, "wrong"));
      const rows: { digest: Buffer }[] = await catalog.knex("attempt_wait");
      await refusal(enter(email, undefined, "wrong"));
      const again: { digest: Buffer }[] = await catalog.knex("attempt_wait");
      assert.equal([rows.length, again.length], [1, isKnown ? 2 : 1], `${email} ${device}`);
    }
    const properties = { password };
    await tokens.call(ada, "user", "update", { id: ben.userId, properties });
    assert.is((await catalog.knex("known_device").where({ user_id: ben.userId })).length, 0);
    assert.is((await catalog.knex("attempt_wait").where({ failed_count: 0 })).length, 0);
  });

  test("while strangers guess, a user can sign in on a new device with a password and a recovery code", async () => {
    const { ben, catalog, records } = tokens;
    await catalog.knex("attempt_wait").delete();
    const codes = await records.transaction(async (transaction) => {
      await transaction("second_factor").insert({
        id: randomUUID(),
        user_id: ben.userId,
        type: "passkey",
        name: "Key",
        credential_id: "c",
        public_key: Buffer.alloc(1),
        counter: 0,
      });
      return replaceRecoveryCodes(ben.userId, transaction);
    });
    const attempt = (given: string, code?: string) =>
      signIn({ email: ben.email, password: given, code }, { address: "n", requestId: "r" });
    for (let time = 0; time < 5; time++) await refusal(attempt("wrong"));
    assert.is((await refusal(attempt(password))).code, "SIGN_INS_TOO_MANY");
    assert.is((await refusal(attempt(password, "123456"))).code, "SIGN_INS_TOO_MANY");
    assert.is(
      (await refusal(attempt(password, "aaaaa-bbbbb-ccccc-ddddd"))).code,
      "SIGN_INS_TOO_MANY",
    );
    assert.is((await attempt(password, codes[0])).user.id, ben.userId);
    assert.is(
      (await refusal(attempt(password, codes[0]))).code,
      "SIGN_INS_TOO_MANY",
      "it is used up",
    );
    for (let time = 0; time < 5; time++)
      assert.is((await refusal(attempt("wrong", codes[1]))).code, "UNAUTHORIZED");
    assert.is((await refusal(attempt("wrong", codes[1]))).code, "SIGN_INS_TOO_MANY");
    await catalog.knex("second_factor").delete();
    await catalog.knex("recovery_code").delete();
    nowMs += 2 * hourMs;
  });

  test("a device known for one user allows no extra guesses for another user with the same e-mail address", async () => {
    const { ada, ben, catalog } = tokens;
    await catalog.knex("attempt_wait").delete();
    const others = await catalog.knex("user_password").where({ user_id: ada.userId }).first();
    const theirs = { ...others, email: ben.email, hash: Buffer.alloc(32, 1) };
    const salt: { salt: Buffer } = await catalog
      .knex("user_password")
      .where({ user_id: ben.userId })
      .first("salt");
    await catalog
      .knex("user_password")
      .where({ user_id: ada.userId })
      .update({ ...theirs, salt: salt.salt });
    let device = await enter(ben.email);
    isAddressClosed = true;
    const broken = await enter(ben.email, device, "wrong").catch(String);
    isAddressClosed = false;
    assert.match(broken, "the address is blocked", "only a wait is hidden, not any other failure");
    for (let time = 0; time < 20; time++) {
      await refusal(enter(ben.email, device, "wrong"));
      device = await enter(ben.email, device);
    }
    const failure = await refusal(enter(ben.email, undefined, "wrong"));
    assert.is(
      failure.code,
      "SIGN_INS_TOO_MANY",
      "the device's guesses count as those of an unknown device",
    );
    await catalog
      .knex("known_device")
      .where({ user_id: ben.userId })
      .update({ user_id: ada.userId });
    const closed = await refusal(enter(ben.email, device));
    assert.is(
      closed.code,
      "UNAUTHORIZED",
      "a correct password of another user has to wait as well",
    );
    await catalog.knex("attempt_wait").delete();
    await enter(ben.email, device);
    await catalog.knex("user_password").where({ user_id: ada.userId }).update(others);
    await catalog.knex("attempt_wait").delete();
  });

  test("a browser that two users share stays known for both users", async () => {
    const { ada, ben, catalog } = tokens;
    await catalog.knex("known_device").delete();
    const one = await enter(ben.email);
    const both = await enter(ada.email, one);
    const users: string[] = await catalog.knex("known_device").pluck("user_id");
    assert.equal(users.toSorted(), [ada.userId, ben.userId].toSorted());
    const digests: Buffer[] = await catalog.knex("known_device").distinct("digest").pluck("digest");
    assert.is(digests.length, 1);
    assert.not.match(JSON.stringify(await catalog.knex("known_device")), both);
  });

  test("a user has at most ten known devices, each for 90 days after its last sign-in", async () => {
    const { ben, catalog } = tokens;
    const secrets: string[] = [];
    for (let count = 0; count < 12; count++) {
      nowMs += 1_000;
      secrets.push(await enter(ben.email));
    }
    assert.is((await catalog.knex("known_device").where({ user_id: ben.userId })).length, 10);
    nowMs += 91 * dayMs;
    await catalog.knex("attempt_wait").delete();
    await refusal(enter(ben.email, secrets.at(-1), "wrong"));
    await refusal(enter(ben.email, undefined, "wrong"));
    assert.is((await catalog.knex("attempt_wait")).length, 1, "it counts as a stranger");
    await enter(ben.email);
    assert.is((await catalog.knex("known_device").where({ user_id: ben.userId })).length, 1);
  });

  test("someone with a user's session cannot guess the user's current password faster than a stranger can", async () => {
    const { ben, refusal: refusedTo } = tokens;
    const guess = (old_password: string) =>
      refusedTo(ben, "user", "update", {
        id: ben.userId,
        properties: { password: "another long password", old_password },
      });
    const codes: string[] = [];
    for (let time = 0; time < 7; time++) codes.push((await guess("wrong horse")).code);
    assert.equal(codes, [
      ...Array.from({ length: 5 }, () => "MEMBER_INVALID"),
      "SIGN_INS_TOO_MANY",
      "SIGN_INS_TOO_MANY",
    ]);
    assert.is((await guess(password)).code, "SIGN_INS_TOO_MANY");
  });
});
