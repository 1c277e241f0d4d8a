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

/** Checks keys, tokens and sessions for a host. */
export interface Access {
  /**
   * Returns the caller, identified by its session if there is one, and otherwise by the credentials in the body. If
   * `source` is undefined, tokens with a list of sources are refused.
   * @throws {ApiError} UNAUTHORIZED; SOURCE_REFUSED; SECOND_FACTOR_MISSING; FORBIDDEN for a private link that is not
   * open
   */
  authenticate(body: Readonly<Record<string, unknown>>, source?: CallSource): Promise<Principal>;
  /** Makes the next call read the catalog. Call it when users or tokens may have changed on this host. */
  forget(): void;
  /** Writes the last uses of tokens that are not stored yet. */
  close(): Promise<void>;
}

export interface OpenAccessOptions extends AccessOptions {
  readonly log: Log;
  /** Called for each refused key pair or session. */
  readonly noteRefusal?: NoteRefusal;
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
  /** A monotonic clock, in milliseconds; replaced in tests. */
  readonly elapsedMs?: () => number;
  /** Delay in milliseconds between the first use of a token and the write of its last use; shorter in tests. */
  readonly collectUsesMs?: number;
}

/** How long cached credentials are used after the catalog confirmed their version, in milliseconds. */
const freshMs = 750;
const keptCount = 10_000;
/** Maximum size of the cached rows in bytes. Parsed rows take several times as much memory. */
const keptBytes = 32 * 2 ** 20;

interface Kept extends Omit<Credentials, "lastUsedAt"> {
  lastUsedAt: number;
  /**
   * The principals without and with a session. They are the same objects for every call, because caches recognize
   * callers by their objects.
   */
  readonly principals: { readonly alone: Principal; readonly inSession: Principal };
}

/**
 * Opens the check of keys and tokens. Credentials are cached with the catalog's version, which increases with every
 * change that may revoke or restrict a token. Each read of the catalog also reads the version, and confirms cached
 * credentials of that version for 750 ms. A change on another host therefore takes effect within that time. A check
 * from memory takes microseconds; any other check takes one SQL statement. If the catalog does not respond, all callers
 * are refused.
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
    const isFresh = found?.version === latest.version && elapsedMs() - latest.readAt < freshMs;
    return isFresh ? found : undefined;
  };
  const fromCatalog = async (key: unknown): Promise<Kept | undefined> => {
    const readAt = elapsedMs();
    const before = changes;
    const found = await readCredentials(options, key);
    if (!found) return undefined;
    const { authorizationId } = found.principal;
    const lastUsedAt = Math.max(found.lastUsedAt, kept.get(authorizationId)?.lastUsedAt ?? 0);
    const principals = { alone: principalIn(found, undefined), inSession: principalIn(found, "") };
    const fresh = { ...found, lastUsedAt, principals };
    // If this host changed something after the read began, the read must not confirm cached credentials.
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
      // A token that this host considers unused for too long may have been used on another host.
      const found = known && !isIdle(known, at) ? known : await fromCatalog(key);
      try {
        if (!isGood(found, pair, at)) throw new ApiError("UNAUTHORIZED");
        refuseElsewhere(found, source);
        refuseWithoutFactor(found, source);
      } catch (failure) {
        // A console page sends no credentials when it checks whether anybody is signed in. Such a check is not recorded
        // as a refusal.
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
      const { alone, inSession } = found.principals;
      return session === undefined ? alone : inSession;
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
