/** A key pair for a page: the response of `authorization create`, where `id` is the key, or an object with `key`. */
export interface IssuedToken {
  readonly key?: string;
  readonly id?: string;
  readonly token: string;
  /**
   * When the token expires, as an ISO 8601 instant.
   * @default null: `getToken` is called again when the host refuses the token
   */
  readonly expiry?: string | null;
}

/** Fetches a token from the server of the page. */
export type GetToken = () => Promise<IssuedToken> | IssuedToken;

/** A key and its token. A private link has only a key. */
export interface Pair {
  readonly key: string;
  readonly token?: string;
}

/** Provides the current token of a page, and renews it. */
export interface Tokens {
  /**
   * Returns a pair that has not expired. Fetches a new pair shortly before the current one expires. Rejects as
   * `getToken` does.
   */
  current(): Promise<Pair>;
  /** Replaces a pair that the host refused. Returns whether another pair is available. */
  renew(refused: Pair): Promise<boolean>;
  close(): void;
}

/** Where a page gets its token: from a fixed pair, or from a function. */
export interface TokensOptions {
  /**
   * A pair that is used until the host refuses it.
   * @default none
   */
  readonly pair?: Pair | undefined;
  /**
   * Fetches the next pair when the current one is about to expire or was refused.
   * @default none
   */
  readonly getToken?: GetToken | undefined;
  /**
   * Returns milliseconds since 1970. Tests replace it.
   * @default Date.now
   */
  readonly now?: () => number;
}

/**
 * Maximum time before the expiry at which a token counts as expired, in milliseconds. For a short-lived token, this
 * time is a tenth of its lifetime.
 */
const marginMs = 60_000;
/** The longest delay that timers accept, in milliseconds. */
const longestMs = 2 ** 31 - 1;

/**
 * Keeps the token of a page valid. Fetches the next token before the current one expires, when the host refuses it, and
 * when the browser is back online. Concurrent calls share one request.
 */
export function createTokens({ pair, getToken, now = Date.now }: TokensOptions): Tokens {
  let held = pair;
  let staleAt = Infinity;
  let renewing: Promise<Pair> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  async function fetchToken(get: GetToken): Promise<Pair> {
    const requestedAt = now();
    const issued = await get();
    const key = issued.key ?? issued.id;
    if (typeof key !== "string" || typeof issued.token !== "string")
      throw new TypeError(
        "getToken must return {key, token} or the response of authorization create",
      );
    const endsAt = issued.expiry ? Date.parse(issued.expiry) : NaN;
    staleAt = Number.isNaN(endsAt)
      ? Infinity
      : endsAt - Math.min(marginMs, Math.max(0, endsAt - requestedAt) / 10);
    held = { key, token: issued.token };
    startTimer();
    return held;
  }
  function startTimer(): void {
    clearTimeout(timer);
    if (staleAt === Infinity || isClosed) return;
    const delayMs = Math.min(longestMs, Math.max(1_000, Math.ceil(staleAt - now())));
    // A timer may fire before its time, and a long wait takes several timers.
    timer = setTimeout(() => (now() < staleAt ? startTimer() : refresh()), delayMs);
  }
  const renewed = (get: GetToken) =>
    (renewing ??= fetchToken(get).finally(() => {
      renewing = undefined;
    }));
  function refresh(): void {
    // A failed background refresh is not reported here: the next call tries again and reports its own failure.
    if (getToken && now() >= staleAt) renewed(getToken).catch(() => undefined);
  }
  globalThis.addEventListener?.("online", refresh);

  return {
    async current() {
      if (held && now() < staleAt) return held;
      if (getToken) return renewed(getToken);
      if (!held) throw new TypeError("no token is set: set auth-key and auth-token, or getToken");
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
