import type { Log, NoteRefusal } from "../../catalog/index.ts";
import { ApiError, isUuid, type Principal } from "../../base/index.ts";
import {
  isGood,
  isIdle,
  pairOf,
  principalIn,
  refuseElsewhere,
  refuseWithoutFactor,
} from "./authenticate.ts";
import { readCredentials, type AccessOptions, type Credentials } from "./readCredentials.ts";
import { readShare, shareKeyOf } from "./readShare.ts";
import type { CallSource } from "./tokens/callSource.ts";
import { openSweep } from "./sweepExpired.ts";
import { openUsage } from "./usage.ts";

/** The check of keys and tokens of a host. */
export interface Access {
  /**
   * Returns who calls: by session, else by what the body names. Without a source, tokens that allow only some sources
   * are refused.
   * @throws {ApiError} UNAUTHORIZED; SOURCE_REFUSED; SECOND_FACTOR_MISSING; FORBIDDEN for a private link that is closed
   */
  authenticate(body: Readonly<Record<string, unknown>>, source?: CallSource): Promise<Principal>;
  /** Has the next call ask the catalog: users or tokens may have changed on this host. */
  forget(): void;
  /** Writes the last uses that are not written yet. */
  close(): Promise<void>;
}

export interface OpenAccessOptions extends AccessOptions {
  readonly log: Log;
  /** Is called for each key pair and session that is refused. */
  readonly noteRefusal?: NoteRefusal;
  /** Milliseconds since 1970; the clock of tests. */
  readonly now?: () => number;
  /** Milliseconds on a clock that never goes back; another one in tests. */
  readonly elapsedMs?: () => number;
  /** Milliseconds from the first use of a token to the statement that writes it; fewer in tests. */
  readonly collectUsesMs?: number;
}

/** How long a look at the catalog vouches for everything that is kept. */
const vouchMs = 750;
const keptCount = 10_000;
/** Bytes of stored rows; the parsed form takes a few times as much. */
const keptBytes = 32 * 2 ** 20;

interface Kept extends Omit<Credentials, "lastUsedAt"> {
  lastUsedAt: number;
}

/**
 * Opens the check of keys and tokens. Credentials that were read are kept, under the version that the catalog had then;
 * a version rises with every change that may end or narrow a token. Each look at the catalog reads the version too and
 * vouches for what is kept under it for 750 ms: that long at most a change on another host goes unseen. A check from
 * memory takes microseconds, any other one SQL statement. When the catalog does not answer, nobody is let in.
 */
export function openAccess(options: OpenAccessOptions): Access {
  const { log, catalog, now = Date.now, elapsedMs = () => performance.now() } = options;
  const kept = new Map<string, Kept>();
  const { collectUsesMs } = options;
  const usage = openUsage({
    catalog,
    log,
    ...(collectUsesMs !== undefined && { collectMs: collectUsesMs }),
  });
  const sweep = openSweep({ catalog, log });
  let sizeBytes = 0;
  let latest = { version: "", readAt: -Infinity };
  let changes = 0;

  const drop = (key: string) => {
    sizeBytes -= kept.get(key)?.sizeBytes ?? 0;
    kept.delete(key);
  };
  const keep = (key: string, entry: Kept) => {
    drop(key);
    kept.set(key, entry);
    sizeBytes += entry.sizeBytes;
    for (const oldest of kept.keys()) {
      if (kept.size <= keptCount && sizeBytes <= keptBytes) return;
      drop(oldest);
    }
  };
  const fromMemory = (key: string): Kept | undefined => {
    const found = kept.get(key);
    const isVouched = found?.version === latest.version && elapsedMs() - latest.readAt < vouchMs;
    return isVouched ? found : undefined;
  };
  const fromCatalog = async (key: unknown): Promise<Kept | undefined> => {
    const readAt = elapsedMs();
    const before = changes;
    const found = await readCredentials(options, key);
    if (!found) return undefined;
    const { authorizationId } = found.principal;
    const lastUsedAt = Math.max(found.lastUsedAt, kept.get(authorizationId)?.lastUsedAt ?? 0);
    const fresh = { ...found, lastUsedAt };
    // A read from before a change of this host must not vouch for anything after it.
    if (before === changes) {
      if (readAt > latest.readAt) latest = { version: found.version, readAt };
      keep(authorizationId, fresh);
    }
    return fresh;
  };

  return {
    async authenticate(body, source) {
      const session = source?.session;
      const shareKey = session === undefined ? shareKeyOf(body) : undefined;
      if (shareKey !== undefined) return readShare(options, shareKey);
      const pair = pairOf(body, session);
      const key = typeof pair.key === "string" ? pair.key.toLowerCase() : pair.key;
      const at = now();
      const known = typeof key === "string" ? fromMemory(key) : undefined;
      // A token that was left unused here may have been used on another host.
      const found = known && !isIdle(known, at) ? known : await fromCatalog(key);
      try {
        if (!isGood(found, pair, at)) throw new ApiError("UNAUTHORIZED");
        refuseElsewhere(found, source);
        refuseWithoutFactor(found, source);
      } catch (failure) {
        // A page that asks whether somebody is signed in names nobody.
        if (failure instanceof ApiError && isUuid(key))
          options.noteRefusal?.({
            way: session === undefined ? "pair" : "session",
            code: failure.code,
            recordId: key,
            organizationId: found?.principal.organizationId,
            userId: found?.principal.userId,
            address: source?.address ?? "",
          });
        throw failure;
      }
      found.lastUsedAt = at;
      usage.touch(found.principal.authorizationId, at);
      return principalIn(found, session);
    },
    forget() {
      changes++;
      latest = { version: "", readAt: -Infinity };
    },
    async close() {
      await sweep.close();
      await usage.close();
    },
  };
}
