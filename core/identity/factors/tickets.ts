import { createHash } from "node:crypto";
import type { Knex } from "knex";
import type { Cipher } from "../../catalog/index.ts";
import { isObject } from "../../base/index.ts";

/** The purpose of a ticket: adding an authenticator app or a passkey, or signing in with a passkey. */
export type Purpose = "app" | "passkey" | "sign-in";

/**
 * A step in progress. The client keeps it as a ticket and sends it back; the host stores nothing until the step is
 * completed.
 */
export interface Ticket {
  readonly purpose: Purpose;
  /** The user of the step; empty for a sign-in, where the user is still unknown. */
  readonly userId: string;
  /** The secret of the app, or the challenge of the passkey. */
  readonly secret: string;
  /** When the ticket expires, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** How long a person has to complete a step, in milliseconds. */
const ticketMs = 600_000;
const context = "ticket of a second factor";

/** Creates and opens tickets. Only hosts with the same secret can open them. */
export interface Tickets {
  seal(purpose: Purpose, userId: string, secret: string): string;
  /** Opens a ticket. Undefined if the ticket is invalid or expired, or is for another purpose or user. */
  open(sealed: unknown, purpose: Purpose, userId: string): Ticket | undefined;
  /** Marks a ticket as used. Returns false if it was already used, on any host. */
  take(ticket: Ticket, transaction: Knex.Transaction): Promise<boolean>;
}

/** Creates the tickets of a host. */
export function createTickets(cipher: Cipher, now: () => number): Tickets {
  return {
    seal: (purpose, userId, secret) =>
      cipher.seal(
        JSON.stringify({ purpose, userId, secret, endsAt: now() + ticketMs } satisfies Ticket),
        context,
      ),
    open(sealed, purpose, userId) {
      const text = typeof sealed === "string" ? opened(sealed, cipher) : undefined;
      const read: unknown = text === undefined ? undefined : JSON.parse(text);
      if (!isTicket(read)) return undefined;
      const isMeant = read.purpose === purpose && read.userId === userId;
      return isMeant && now() < read.endsAt ? read : undefined;
    },
    async take({ secret }, transaction) {
      await transaction("used_challenge")
        .where("ends_at", "<", new Date(now() - ticketMs))
        .delete();
      const hash = createHash("sha256").update(secret).digest();
      const { rowCount }: { rowCount: number } = await transaction.raw(
        "insert into used_challenge (hash, ends_at) values (?, ?) on conflict do nothing",
        [hash, new Date(now() + ticketMs)],
      );
      return rowCount === 1;
    },
  };
}

/**
 * Decrypts a ticket. Returns undefined whenever decrypting fails, whatever the reason, because anyone may send a
 * ticket.
 */
function opened(sealed: string, cipher: Cipher): string | undefined {
  try {
    return cipher.open(sealed, context);
  } catch {
    return undefined;
  }
}

function isTicket(value: unknown): value is Ticket {
  return (
    isObject<"endsAt">(value) &&
    ["purpose", "userId", "secret"].every((member) => typeof value[member] === "string") &&
    typeof value.endsAt === "number"
  );
}
