import type { Principal } from "../../base/index.ts";
import { createToken, hashToken } from "./tokens/token.ts";

/** Secrets that each start one session. They are kept in memory, so restarting the host invalidates them. */
export interface SignInLinks {
  make(person: Principal): string;
  /** Returns the user of a secret, only once and only within an hour of its creation; otherwise undefined. */
  take(secret: string): Principal | undefined;
}

const livesMs = 3_600_000;
const keptCount = 100;

/** Creates an empty store of links. It keeps at most 100 links and drops the oldest. */
export function createSignInLinks(now: () => number): SignInLinks {
  const made = new Map<string, { readonly person: Principal; readonly endsAt: number }>();
  return {
    make(person) {
      const [oldest] = made.keys();
      if (made.size >= keptCount && oldest !== undefined) made.delete(oldest);
      const secret = createToken();
      made.set(hashToken(secret).toString("hex"), { person, endsAt: now() + livesMs });
      return secret;
    },
    take(secret) {
      const hash = hashToken(secret).toString("hex");
      const found = made.get(hash);
      made.delete(hash);
      return found && now() < found.endsAt ? found.person : undefined;
    },
  };
}
