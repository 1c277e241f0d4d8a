// src/currentUser.ts
import { cookies } from "next/headers";
import { findUser } from "./sessions.ts";
import type { User } from "./users.ts";

/** Returns the id of the session in the request's cookie; an empty string without a cookie. */
export async function currentSession(): Promise<string> {
  return (await cookies()).get("session")?.value ?? "";
}

/** Returns the signed-in user; undefined if nobody is signed in. */
export async function currentUser(): Promise<User | undefined> {
  return findUser(await currentSession());
}
