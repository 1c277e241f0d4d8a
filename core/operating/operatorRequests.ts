import { holdSnapshot } from "./backup/index.ts";
import { type Catalog, urlOfAddress } from "../catalog/index.ts";
import { isObject } from "../base/index.ts";
import type { Moves } from "./move/index.ts";
import type { HeldAnswer } from "./operator/index.ts";
import type { Readiness } from "../http/index.ts";

interface OperatorRequestsOptions {
  readonly catalog: Catalog;
  /**
   * Returns the store of the host.
   * @throws {Error} if the host has no store
   */
  readonly store: () => Parameters<typeof holdSnapshot>[0]["store"];
  readonly secret: string;
  /** The id of the key that is derived from the host's secret. */
  readonly secretKey: string;
  /** The URL at which the host listens. */
  readonly url: string;
  readiness(): Promise<Readiness>;
  /** Shows or sets quotas, depending on the command's input. */
  quota(input: unknown): Promise<object>;
  readonly moves: Moves;
}

/**
 * Returns the requests that commands of this machine may send to a host, by name: the host's state, a snapshot for a
 * backup, quotas of organizations, and moving datasets between stores.
 */
export function operatorRequests(
  options: OperatorRequestsOptions,
): Readonly<
  Record<"state" | "snapshot" | "quota" | "moves" | "move", (input: unknown) => Promise<HeldAnswer>>
> {
  const { catalog, store, secret, secretKey, url, moves } = options;
  return {
    async state() {
      const { parts } = await options.readiness();
      const databaseUrl = urlOfAddress(catalog.address);
      const answer = { url, readiness: parts, databaseUrl, secretKey };
      return { answer, end: async () => undefined };
    },
    quota: async (input) => ({
      answer: await options.quota(input),
      end: async () => undefined,
    }),
    async snapshot() {
      const { snapshot, end } = await holdSnapshot({ catalog, store: store(), secret });
      return { answer: snapshot, end };
    },
    async moves() {
      const answer = { store: store().slug, left: await moves.left() };
      return { answer, end: async () => undefined };
    },
    async move(input) {
      const moved = await moves.move(isObject<"id">(input) ? String(input.id) : "");
      return { answer: { ...(moved && { moved }) }, end: async () => undefined };
    },
  };
}
