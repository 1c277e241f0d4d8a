import { createHash } from "node:crypto";

/** Returns the id prefix of all statements that write to a dataset on a server. */
export function writesOf(database: string, id: string): string {
  const digest = createHash("sha256").update(`${database}\0${id}`).digest("hex");
  return `manifold-${digest.slice(0, 24)}-`;
}
