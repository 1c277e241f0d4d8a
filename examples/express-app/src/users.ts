// src/users.ts
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { database } from "./database.ts";

export interface User {
  readonly email: string;
  readonly name: string;
  readonly customerId: string;
}

/** Hashes a password with scrypt, at the cost that OWASP recommends. */
function hashPassword(password: string, salt: string): Promise<Buffer> {
  const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, cost, (failure, hash) =>
      failure ? reject(failure) : resolve(hash),
    );
  });
}

/** Adds a user, or changes the password of a user. Returns the new password, which is stored only as a hash. */
export async function addUser({ email, name, customerId }: User): Promise<string> {
  const password = randomBytes(12).toString("base64url");
  const salt = randomBytes(16).toString("base64url");
  const hash = await hashPassword(password, salt);
  database()
    .prepare(
      `insert into users values (?, ?, ?, ?, ?) on conflict (email) do update
       set salt = excluded.salt, password_hash = excluded.password_hash`,
    )
    .run(email, name, customerId, salt, hash);
  return password;
}

/** Returns whether an address and a password belong to a user. */
export async function isPassword(email: string, password: string): Promise<boolean> {
  const row = database()
    .prepare("select salt, password_hash as hash from users where email = ?")
    .get(email);
  // An unknown address takes as long as a wrong password, so the time does not tell who has an account.
  const given = await hashPassword(password, String(row?.["salt"]));
  return row?.["hash"] instanceof Uint8Array && timingSafeEqual(given, row["hash"]);
}
