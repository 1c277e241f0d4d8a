/** A key pair that a page may use, as `authorization create` answers it (`id` is the key) or with a `key`. */
export interface IssuedToken {
  readonly key?: string;
  readonly id?: string;
  readonly token: string;
  /** When it ends, as an ISO instant; without it, it is asked for again when the host refuses it. */
  readonly expiry?: string | null;
}

/** Asks the server of the page for a token. */
export type GetToken = () => Promise<IssuedToken> | IssuedToken;

/** A key and its token; the key of a private link has none. */
export interface Pair {
  readonly key: string;
  readonly token?: string;
}

export interface Tokens {
  /** Returns a pair that has not ended, asked for again where it ends soon. Rejects as `getToken` does. */
  current(): Promise<Pair>;
  /** Takes a pair that the host refused. Returns whether another one is there. */
  renew(refused: Pair): Promise<boolean>;
  close(): void;
}

export interface TokensOptions {
  readonly pair?: Pair | undefined;
  readonly getToken?: GetToken | undefined;
  /** Milliseconds since 1970; the clock of tests. */
  readonly now?: () => number;
}

/** A token that ends within this time, or a tenth of its life, counts as ended. */
const marginMs = 60_000;
/** The longest delay that timers take. */
const longestMs = 2 ** 31 - 1;

/**
 * Keeps the token of a page: asks for the next one before it ends, when the host refuses it, and when the browser is
 * online again. Questions at the same time wait for one answer.
 */
export function createTokens({ pair, getToken, now = Date.now }: TokensOptions): Tokens {
  let held = pair;
  let staleAt = Infinity;
  let asking: Promise<Pair> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  async function ask(get: GetToken): Promise<Pair> {
    const asked = now();
    const issued = await get();
    const key = issued.key ?? issued.id;
    if (typeof key !== "string" || typeof issued.token !== "string")
      throw new TypeError(
        "getToken must return {key, token}, or the answer of authorization create",
      );
    const endsAt = issued.expiry ? Date.parse(issued.expiry) : NaN;
    staleAt = Number.isNaN(endsAt)
      ? Infinity
      : endsAt - Math.min(marginMs, Math.max(0, endsAt - asked) / 10);
    held = { key, token: issued.token };
    clearTimeout(timer);
    if (staleAt < Infinity && !isClosed)
      timer = setTimeout(refresh, Math.min(longestMs, Math.max(1_000, staleAt - now())));
    return held;
  }
  const renewed = (get: GetToken) =>
    (asking ??= ask(get).finally(() => {
      asking = undefined;
    }));
  function refresh(): void {
    // A refresh in the background that fails is repeated by the next question, which then says why.
    if (getToken && now() >= staleAt) renewed(getToken).catch(() => undefined);
  }
  globalThis.addEventListener?.("online", refresh);

  return {
    async current() {
      if (held && now() < staleAt) return held;
      if (getToken) return renewed(getToken);
      if (!held) throw new TypeError("there is no token: set auth-key and auth-token, or getToken");
      return held;
    },
    async renew(refused) {
      if (held && held.token !== refused.token) return true;
      if (!getToken) return false;
      await renewed(getToken);
      return held?.token !== refused.token;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      globalThis.removeEventListener?.("online", refresh);
    },
  };
}
