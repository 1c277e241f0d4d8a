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
  /**
   * Creates a sign-in link for an owner.
   * @throws {Error} if the choice matches no owner, or several
   */
  createOwnerLink(choice: OwnerChoice): Promise<object>;
  readonly moves: Moves;
}

interface OwnerChoice {
  readonly email?: string | undefined;
  readonly organizationId?: string | undefined;
}

/**
 * Returns the requests that commands of this machine may send to a host, by name. They read the host's state, take a
 * snapshot for a backup, show or set quotas, create sign-in links for owners, and move datasets between stores.
 */
export function operatorRequests(
  options: OperatorRequestsOptions,
): Readonly<
  Record<
    "state" | "snapshot" | "quota" | "signInLink" | "moves" | "move",
    (input: unknown) => Promise<HeldAnswer>
  >
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
    async signInLink(input) {
      const { email, organizationId } = isObject<"email" | "organizationId">(input) ? input : {};
      const choice = {
        email: textOf(email, "email"),
        organizationId: textOf(organizationId, "id"),
      };
      return { answer: await options.createOwnerLink(choice), end: async () => undefined };
    },
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

/** Returns a string from a command's input; undefined if the value is absent.
 * @throws {Error} for any other value */
function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new Error(`${name} must be a string`);
}
