import {
  ClientError,
  createClient,
  type Client,
  type ClientOptions,
} from "../../web/client/index.ts";
import { TransferError } from "./transferError.ts";

/**
 * Milliseconds between two attempts while a limit of the host refuses calls, and the time after which the client gives
 * up.
 */
const pauseMs = 1_000;
const giveUpMs = 300_000;

async function waiting<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const giveUpAt = Date.now() + giveUpMs;
  for (;;)
    try {
      return await call();
    } catch (failure) {
      if (!(failure instanceof ClientError)) throw failure;
      if (failure.code === "UNREACHABLE" || failure.code === "NOT_JSON")
        throw new TransferError(failure.message, { cause: failure });
      if (failure.status !== 429 || Date.now() > giveUpAt) throw failure;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
}

/**
 * Creates a client that waits up to five minutes while the host returns 429. Its methods reject with `ClientError` if
 * the host refuses a call, and with `TransferError` if it does not respond.
 */
export function createRetryingClient(options: ClientOptions): Client {
  return createClient(options, waiting);
}

/**
 * Refuses a key pair with a restricted token, because the token can read only some of the records.
 * @throws {TransferError}
 */
export async function expectApiToken(client: Client, key: string): Promise<void> {
  const { rows } = await client.get("authorization", { where: { id: key.toLowerCase() } });
  if (rows[0]?.["type"] === "api") return;
  throw new TransferError(
    "MANIFOLD_KEY and MANIFOLD_TOKEN must be a key pair of type api, preferably of an owner of the organization",
  );
}
