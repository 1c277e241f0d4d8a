import type { Principal } from "../../base/index.ts";
import { createToken, hashToken } from "./tokens/token.ts";

/** Whom a link signs in: the user of a key pair, or the owner for whom the host's operator created the link. */
export type LinkHolder =
  | { readonly kind: "pair"; readonly person: Principal }
  | { readonly kind: "owner"; readonly userId: string };

/** Secrets that each start one session. They are kept in memory, so restarting the host invalidates them. */
export interface SignInLinks {
  make(holder: LinkHolder): string;
  /**
   * Returns whom a secret signs in, and invalidates the secret. Undefined for a secret that is unknown, used or older
   * than an hour.
   */
  take(secret: string): LinkHolder | undefined;
}

const livesMs = 3_600_000;
const keptCount = 100;

/** Creates an empty store of links. It keeps at most 100 links; a further link replaces the oldest. */
export function createSignInLinks(now: () => number): SignInLinks {
  const made = new Map<string, { readonly holder: LinkHolder; readonly endsAt: number }>();
  return {
    make(holder) {
      const [oldest] = made.keys();
      if (made.size >= keptCount && oldest !== undefined) made.delete(oldest);
      const secret = createToken();
      made.set(hashToken(secret).toString("hex"), { holder, endsAt: now() + livesMs });
      return secret;
    },
    take(secret) {
      const hash = hashToken(secret).toString("hex");
      const found = made.get(hash);
      made.delete(hash);
      return found && now() < found.endsAt ? found.holder : undefined;
    },
  };
}
