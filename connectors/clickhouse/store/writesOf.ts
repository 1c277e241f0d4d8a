import { createHash } from "node:crypto";

/** Names the writes of one dataset at a server: the start of the id of each of their statements. */
export function writesOf(database: string, id: string): string {
  const digest = createHash("sha256").update(`${database}\0${id}`).digest("hex");
  return `manifold-${digest.slice(0, 24)}-`;
}
