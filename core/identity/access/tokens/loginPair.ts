import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { createToken, hashToken } from "./token.ts";
import { usualLifeS } from "./duration.ts";
import type { Records } from "../../../base/index.ts";

/** A key pair with which a signed-in user can create API tokens. It cannot be shown again later. */
export interface LoginPair {
  readonly key: string;
  readonly token: string;
}

/** Creates a pair that is not stored yet. */
export function createLoginPair(): LoginPair {
  return { key: randomUUID(), token: createToken() };
}

/** How a person proved their identity when signing in, and from where. */
export interface SignInProof {
  readonly factor: string | null;
  readonly proved_at: Date;
  readonly ip: string;
  readonly device: string | null;
}

/** Stores a pair as a token of type login that is valid for 24 hours. Returns the time at which it expires. */
export async function storeLoginPair(
  { key, token }: LoginPair,
  userId: string,
  records: Records,
  transaction: Knex.Transaction,
  proof?: SignInProof,
): Promise<Date> {
  const expiry = new Date(Date.now() + usualLifeS * 1000);
  const values = {
    id: key,
    type: "login" as const,
    user_id: userId,
    token_hash: hashToken(token),
    expiry,
    ...proof,
  };
  await records.insert("authorization", values, transaction);
  return expiry;
}
