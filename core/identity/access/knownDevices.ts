import { createHash, randomBytes } from "node:crypto";
import type { Knex } from "knex";

/** The cookie secret of a browser that has signed in before. */
export interface RememberedDevice {
  readonly value: string;
  readonly expiresAt: Date;
}

/** Maximum number of devices per user. A further device replaces the least recently used device. */
const mostDevices = 10;
const lifeMs = 90 * 86_400_000;

const hashDevice = (value: string): Buffer => createHash("sha256").update(value).digest();

/** A proof sent with a password, and the users whom it identifies. Other users may have the same e-mail address. */
export interface Proof {
  /** The name under which guesses with this proof are counted. */
  readonly name: string;
  readonly userIds: ReadonlySet<string>;
}

/** Returns the users of an e-mail address who signed in on a device; undefined for an unknown device. */
export async function knownDeviceOf(
  email: string,
  value: string | undefined,
  knex: Knex,
  nowMs: number,
): Promise<Proof | undefined> {
  if (value === undefined || !/^[\w-]{43}$/.test(value)) return undefined;
  const digest = hashDevice(value);
  const userIds: string[] = await knex("known_device as d")
    .join("user_password as p", "p.user_id", "d.user_id")
    .where({ "p.email": email, "d.digest": digest })
    .where("d.used_at", ">", new Date(nowMs - lifeMs))
    .pluck("d.user_id");
  return userIds.length === 0
    ? undefined
    : { name: digest.toString("hex"), userIds: new Set(userIds) };
}

/**
 * Remembers the device from which a user signed in, under a new secret. The old secret becomes invalid for all users of
 * the browser. The only advantage of a known device is that its user need not wait because of strangers' guesses.
 */
export async function rememberDevice(
  userId: string,
  former: string | undefined,
  nowMs: number,
  transaction: Knex.Transaction,
): Promise<RememberedDevice> {
  const value = randomBytes(32).toString("base64url");
  const digest = hashDevice(value);
  const now = new Date(nowMs);
  if (former !== undefined)
    await transaction("known_device")
      .where({ digest: hashDevice(former) })
      .update({ digest });
  await transaction("known_device")
    .insert({ digest, user_id: userId, used_at: now })
    .onConflict(["digest", "user_id"])
    .merge();
  const kept = transaction("known_device")
    .where({ user_id: userId })
    .where("used_at", ">", new Date(nowMs - lifeMs))
    .orderBy("used_at", "desc")
    .limit(mostDevices)
    .select("digest");
  await transaction("known_device").where({ user_id: userId }).whereNotIn("digest", kept).delete();
  return { value, expiresAt: new Date(nowMs + lifeMs) };
}

/** Forgets all devices of a user. */
export async function forgetDevices(userId: string, transaction: Knex.Transaction): Promise<void> {
  await transaction("known_device").where({ user_id: userId }).delete();
}
