import { createHash } from "node:crypto";
import type { Knex } from "knex";
import type { BegunSession, Sessions, SessionCaller } from "../access/index.ts";
import type { Cipher, Log, NoteRefusal } from "../../catalog/index.ts";
import { ApiError, isUuid, type Records } from "../../base/index.ts";
import { applyPerson } from "./applyPerson.ts";
import { openProviders } from "./openProviders.ts";
import { attemptMs, createAttempt, openAttempt, pathAtHost, sealAttempt } from "./attempt.ts";
import { readClaims } from "./claims.ts";
import type { GuardedFetch } from "./discoverProvider.ts";
import { findProvider, isServed, type FoundProvider } from "./findProvider.ts";
import { findUser } from "./findUser.ts";

/**
 * A sign-on in progress: the URL to which the browser is redirected, and the cookie that the browser must send back.
 */
export interface BegunSignOn {
  readonly location: string;
  readonly cookie: string;
  readonly expiresAt: Date;
}

/** A provider that the sign-in page offers. */
export interface SignOnChoice {
  readonly id: string;
  readonly name: unknown;
}

/** Sign-on through the identity providers of organizations. */
export interface SignOn {
  /** Returns the providers that the host's settings name. People who have not signed in can see them. */
  choices(): Promise<readonly SignOnChoice[]>;
  /**
   * Returns whether any user of the host has a password. As long as no user has one, the sign-in page offers the key
   * pair first. People who have not signed in can see the result.
   */
  hasPasswords(): Promise<boolean>;
  /**
   * Begins a sign-on.
   * @throws {ApiError} SIGN_ON_UNKNOWN, SIGN_ON_PROVIDER_FAILED, CREDENTIALS_TOO_MANY
   */
  begin(
    configId: string,
    returnTo: string | undefined,
    caller: { readonly address: string },
  ): Promise<BegunSignOn>;
  /**
   * Completes a sign-on: checks the provider's response, applies the claims to the user, and starts a session that
   * replaces the browser's previous one. `query` is the query string of the URL to which the provider redirected the
   * browser.
   * @throws {ApiError} SIGN_ON_UNKNOWN, SIGN_ON_FAILED, SIGN_ON_REFUSED, SIGN_ON_PROVIDER_FAILED, CREDENTIALS_TOO_MANY
   */
  finish(
    configId: string,
    returned: { readonly cookie: string | undefined; readonly query: string },
    caller: SessionCaller,
  ): Promise<BegunSession & { readonly returnTo: string }>;
}

export interface SignOnOptions {
  readonly records: Records;
  readonly cipher: Cipher;
  /** Makes the next call read the catalog, because rights of users were changed on this host. */
  forget(): void;
  readonly sessions: Pick<Sessions, "startFor" | "end">;
  readonly limits: { admit(address: string): void; failed(address: string): void };
  /** Returns the guarded fetch with which an organization's providers are called. */
  readonly fetchOf: (organizationId: string) => GuardedFetch;
  /** Returns the URL at which browsers reach the host. It does not depend on the address that a call used. */
  readonly publicUrl: () => string;
  /** Ids of the ssoconfigs that the sign-in page offers. */
  readonly shown: readonly string[];
  readonly log: Pick<Log, "warn">;
  /** Called for each sign-on that fails. */
  readonly noteRefusal?: NoteRefusal;
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
}

/** Creates sign-on through identity providers. Nothing is stored before a provider has identified the person. */
export function createSignOn(options: SignOnOptions): SignOn {
  const { records, cipher, sessions, limits, log, publicUrl, now = Date.now } = options;
  const providers = openProviders({ fetchOf: options.fetchOf, log, now });

  const find = async (configId: string): Promise<FoundProvider> => {
    const found = await findProvider(records, configId);
    if (!found) throw new ApiError("SIGN_ON_UNKNOWN", [configId.slice(0, 100)]);
    return found;
  };
  const noteFailure = async (configId: string, address: string, { code }: ApiError) => {
    limits.failed(address);
    if (!options.noteRefusal) return;
    const found = await findProvider(records, configId);
    const organizationId = found?.row.organization_id;
    options.noteRefusal({ way: "provider", code, recordId: configId, organizationId, address });
  };
  const redirectUri = (configId: string) =>
    `${publicUrl().replace(/\/+$/, "")}/auth/sso/${configId}/callback`;

  const apply = (
    { row, provider }: FoundProvider,
    claims: Readonly<Record<string, unknown>>,
    state: string,
    caller: SessionCaller,
  ) =>
    records.transaction(async (transaction) => {
      await useOnce(state, transaction);
      const { requestId, address } = caller;
      const person = readClaims(claims, provider);
      const { id: configId, organization_id: organizationId } = row;
      const shared = { records, transaction, provider, requestId, address };
      const principal = await findUser({ ...shared, configId, organizationId }, person);
      await applyPerson({ ...shared, principal, person });
      const lifeMs = provider.sessionHours * 3_600_000;
      // The rights of this principal may be outdated. That does no harm, because each call of the session reads the
      // rights again.
      return sessions.startFor(principal, { configId, lifeMs }, caller, transaction);
    });

  /**
   * Refuses a provider's response that was used before. The catalog remembers the response until its attempt expires.
   */
  async function useOnce(state: string, transaction: Knex.Transaction): Promise<void> {
    const hash = createHash("sha256").update(state).digest();
    await transaction("sign_on_state")
      .where("ends_at", "<", new Date(now() - attemptMs))
      .delete();
    const { rowCount }: { rowCount: number } = await transaction.raw(
      "insert into sign_on_state (hash, ends_at) values (?, ?) on conflict do nothing",
      [hash, new Date(now() + attemptMs)],
    );
    if (rowCount === 0)
      throw new ApiError("SIGN_ON_FAILED", ["the response has already been used"]);
  }

  let hasPasswords = false;

  return {
    async hasPasswords() {
      // A host that has had one password is in use, so the answer stays the same.
      hasPasswords ||= await records.transaction(
        async (transaction) => (await transaction("user_password").first("user_id")) !== undefined,
      );
      return hasPasswords;
    },
    async choices() {
      const ids = options.shown.filter(isUuid);
      if (ids.length === 0) return [];
      const rows = await records.find("ssoconfig", { id: ids });
      return ids.flatMap((id) =>
        rows
          .filter((row) => row.id === id.toLowerCase() && isServed(row))
          .map((row) => ({ id: row.id, name: row.name })),
      );
    },
    async begin(configId, returnTo, { address }) {
      limits.admit(address);
      try {
        const found = await find(configId);
        const { row } = found;
        const attempt = createAttempt(row.id, pathAtHost(returnTo), now());
        const location = await providers.addressOf(found, attempt, redirectUri(row.id));
        return {
          location: location.href,
          cookie: sealAttempt(attempt, cipher),
          expiresAt: new Date(attempt.endsAt),
        };
      } catch (failure) {
        if (failure instanceof ApiError) await noteFailure(configId, address, failure);
        throw failure;
      }
    },
    async finish(configId, { cookie, query }, caller) {
      limits.admit(caller.address);
      try {
        const attempt = openAttempt(cookie, cipher, now());
        if (!attempt || attempt.configId !== configId.toLowerCase())
          throw new ApiError("SIGN_ON_FAILED", [
            "the sign-on did not begin in this browser or took too long",
          ]);
        const found = await find(attempt.configId);
        const returned = new URL(`${redirectUri(found.row.id)}?${query}`);
        const claims = await providers.claimsOf(found, attempt, returned);
        const begun = await apply(found, claims, attempt.state, caller);
        options.forget();
        await sessions.end(caller);
        return { ...begun, returnTo: attempt.returnTo };
      } catch (failure) {
        if (failure instanceof ApiError) await noteFailure(configId, caller.address, failure);
        throw failure;
      }
    },
  };
}
