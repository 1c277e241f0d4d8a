import type { Api } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import type { RecordRef } from "./readAbout.ts";

/** A token as the reader knows it. */
export interface KnownToken {
  /** Which noun names it. */
  readonly kind: "apitoken" | "embedtoken";
  /** Its description, or the person to whom its page shows data. */
  readonly name?: string;
  /** The first dashboard or dataset that it shows. */
  readonly about?: RecordRef;
}

interface Issued {
  readonly id: string;
  readonly username: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly securables: readonly { readonly id: string }[];
}

const mostTokens = 1000;

/**
 * Finds the tokens that the reader owns or issued, by id. Sessions, and tokens of other people, are unknown to the
 * reader. Makes two calls if there are ids.
 */
export async function readTokens(
  api: Api,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, KnownToken>> {
  const known = new Map<string, KnownToken>();
  if (ids.length === 0) return known;
  const find = { where: { id: ids }, attributes: ["id", "description"], limit: ids.length };
  const [own, issued] = await Promise.all([
    api.get<{ readonly id: string; readonly description: unknown }>("authorization", find, {
      signal,
    }),
    api.call<{ readonly rows: readonly Issued[] }>(
      "authorization",
      "list",
      { options: { limit: mostTokens } },
      { signal },
    ),
  ]);
  for (const { id, description } of own.rows) {
    const name = textOf(description);
    known.set(id, { kind: "apitoken", ...(name !== "" && { name }) });
  }
  for (const { id, username, name: person, email, securables } of issued.rows) {
    if (!ids.includes(id)) continue;
    const name = person || username || email;
    const [first] = securables;
    known.set(id, {
      kind: "embedtoken",
      ...(name && { name }),
      ...(first && { about: { resource: "securable", id: first.id } }),
    });
  }
  return known;
}
