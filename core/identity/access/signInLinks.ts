import type { Principal } from "../../base/index.ts";
import { createToken, hashToken } from "./tokens/token.ts";

/** Secrets that each begin one session. They are kept in memory: a start of the host ends them. */
export interface SignInLinks {
  make(person: Principal): string;
  /** Returns for whom a secret was made, the first time within an hour; undefined from then on. */
  take(secret: string): Principal | undefined;
}

const livesMs = 3_600_000;
const keptCount = 100;

/** Makes an empty store of links; with more than 100 the oldest ends. */
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
