import { randomBytes } from "node:crypto";

/** Returns a database name that is unique within a run. */
export function databaseName(): string {
  return `test_${randomBytes(6).toString("hex")}`;
}
