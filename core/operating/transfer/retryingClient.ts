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

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

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
      await wait(Math.max(pauseMs, failure.retryAfterS * 1_000));
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
 * Creates a retrying client that starts at most `callsPerSecond` calls per second, one after the other, and that never
 * sends its key pair to another address: it does not follow redirects.
 */
export function createPacedClient(options: ClientOptions, callsPerSecond: number): Client {
  let next = Promise.resolve();
  const paced = <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    const turn = next;
    const answer = turn.then(() => waiting(call));
    next = Promise.allSettled([answer, turn.then(() => wait(1_000 / callsPerSecond))]).then(
      () => undefined,
    );
    return answer;
  };
  const direct = (url: string, request: RequestInit) =>
    fetch(url, { ...request, redirect: "error" });
  return createClient({ fetch: direct, ...options }, paced);
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
