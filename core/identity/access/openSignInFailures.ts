import { type Log, writeAudits } from "../../catalog/index.ts";
import { nobody, type Principal, type Records } from "../../base/index.ts";
import type { PasswordCaller } from "./createPasswordCheck.ts";
import { signInEvent } from "./signInEvent.ts";

/** Records failed sign-ins in the history of their users. */
export interface SignInFailures {
  /**
   * Writes an audit event for each user without delaying the response, so that the response time does not reveal
   * whether users exist.
   */
  note(people: readonly Principal[], ways: readonly string[], caller: PasswordCaller): void;
  /** Resolves when all pending events are written. */
  close(): Promise<void>;
}

export interface SignInFailuresOptions {
  readonly records: Pick<Records, "transaction" | "insertMany">;
  readonly log: Log;
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
}

/** Minimum milliseconds between two events of the same user, so that guessing cannot fill the disk. */
const everyMs = 60_000;
const keptCount = 10_000;

/** Opens a host's recorder of failed sign-ins. */
export function openSignInFailures(options: SignInFailuresOptions): SignInFailures {
  const { records, log, now = Date.now } = options;
  const noted = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  const isDue = (userId: string): boolean => {
    const last = noted.get(userId);
    if (last !== undefined && now() - last < everyMs) return false;
    noted.delete(userId);
    const [oldest] = noted.keys();
    if (noted.size >= keptCount && oldest !== undefined) noted.delete(oldest);
    noted.set(userId, now());
    return true;
  };
  const write = (
    people: readonly Principal[],
    ways: readonly string[],
    { address, requestId }: PasswordCaller,
  ) =>
    records.transaction(async (transaction) => {
      for (const person of people) {
        const principal = { ...person, authorizationId: nobody };
        const event = signInEvent(person.userId, ways, address, "sign_in_failed");
        await writeAudits(records, { principal, requestId, address }, [event], transaction);
      }
    });
  return {
    note(people, ways, caller) {
      const due = people.filter(({ userId }) => isDue(userId));
      if (due.length === 0) return;
      const written: Promise<void> = write(due, ways, caller)
        .catch((failure: unknown) =>
          log.warn({ err: failure }, "a failed sign-in could not be written to the history"),
        )
        .finally(() => writing.delete(written));
      writing.add(written);
    },
    async close() {
      await Promise.all(writing);
    },
  };
}
