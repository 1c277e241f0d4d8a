import { randomBytes } from "node:crypto";

/** Returns a name that no other database of a run has. */
export function databaseName(): string {
  return `test_${randomBytes(6).toString("hex")}`;
}
