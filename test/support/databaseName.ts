import { randomBytes } from "node:crypto";
import { sharedServer } from "./sharedServer.ts";

/** Returns a name for a database of the file that runs: its number in the run, by which a server's time is shared. */
export function databaseName(): string {
  return `test_${sharedServer.fileNumber ?? 0}_${randomBytes(6).toString("hex")}`;
}
