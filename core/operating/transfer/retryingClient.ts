import {
  ClientError,
  createClient,
  type Client,
  type ClientOptions,
} from "../../web/client/index.ts";
import { codeOf, messageOf } from "../../base/index.ts";
import { TransferError } from "./transferError.ts";

/** Milliseconds between calls that the host's limit refuses, and after which that is given up. */
const pauseMs = 1_000;
const giveUpMs = 300_000;

/** Errors of `fetch` and of the JSON parser do not name the host; this one does. */
function unreached(url: string, failure: unknown): TransferError {
  const reason =
    failure instanceof SyntaxError
      ? "its answer is no JSON"
      : failure instanceof Error && failure.cause instanceof Error
        ? failure.cause.message || String(codeOf(failure.cause))
        : messageOf(failure);
  return new TransferError(`the host at ${url} does not answer: ${reason}`, { cause: failure });
}

async function waiting<Answer>(url: string, call: () => Promise<Answer>): Promise<Answer> {
  const giveUpAt = Date.now() + giveUpMs;
  for (;;)
    try {
      return await call();
    } catch (failure) {
      if (!(failure instanceof ClientError)) throw unreached(url, failure);
      if (failure.status !== 429 || Date.now() > giveUpAt) throw failure;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
}

/**
 * Makes a client that waits when the host says 429, five minutes at most; its methods reject with `ClientError` for
 * what the host refuses and with `TransferError` when it does not answer.
 */
export function createRetryingClient(options: ClientOptions): Client {
  return createClient(options, (call) => waiting(options.url, call));
}

/**
 * Refuses a pair whose token is narrowed: it would show a part of the records for all of them.
 * @throws {TransferError}
 */
export async function expectApiToken(client: Client, key: string): Promise<void> {
  const { rows } = await client.get("authorization", { where: { id: key.toLowerCase() } });
  if (rows[0]?.["type"] === "api") return;
  throw new TransferError(
    "MANIFOLD_KEY and MANIFOLD_TOKEN must be a pair of type api, best of an owner of the organization",
  );
}
