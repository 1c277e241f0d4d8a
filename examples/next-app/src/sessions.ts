// src/sessions.ts
import { createHash, randomBytes } from "node:crypto";
import { database } from "./database.ts";
import type { User } from "./users.ts";

export const sessionHours = 8;

/** The database contains only hashes, so a stolen copy of it signs nobody in. */
const hashId = (id: string) => createHash("sha256").update(id).digest("base64url");

/** Signs a user in. Returns the id of the session, for the cookie. */
export function openSession(email: string): string {
  const id = randomBytes(32).toString("base64url");
  const expiresAt = Date.now() + sessionHours * 3_600_000;
  database().prepare("delete from sessions where expires_at < ?").run(Date.now());
  database().prepare("insert into sessions values (?, ?, ?)").run(hashId(id), email, expiresAt);
  return id;
}

/** Returns the user of a session; undefined if it does not exist or has expired. */
export function findUser(sessionId: string): User | undefined {
  const row = database()
    .prepare(
      `select email, name, customer_id from users join sessions using (email)
       where id = ? and expires_at > ?`,
    )
    .get(hashId(sessionId), Date.now());
  if (!row) return undefined;
  const { email, name, customer_id: customerId } = row;
  return { email: String(email), name: String(name), customerId: String(customerId) };
}

/** Remembers an embed token of a session. Returns false if the session was closed in the meantime. */
export function rememberToken(sessionId: string, tokenId: string): boolean {
  const added = database()
    .prepare("insert into tokens select ?, id from sessions where id = ?")
    .run(tokenId, hashId(sessionId));
  return added.changes === 1;
}

/** Closes a session. Returns the ids of its embed tokens. */
export function closeSession(sessionId: string): readonly string[] {
  const id = hashId(sessionId);
  const rows = database().prepare("delete from tokens where session_id = ? returning id").all(id);
  database().prepare("delete from sessions where id = ?").run(id);
  return rows.map((row) => String(row["id"]));
}
