import { createHash } from "node:crypto";
import type { Knex } from "knex";
import type { BegunSession, Sessions, SessionCaller } from "../access/index.ts";
import type { Cipher, Log, NoteRefusal } from "../../catalog/index.ts";
import { ApiError, isUuid, type Records } from "../../base/index.ts";
import { applyPerson } from "./applyPerson.ts";
import { openProviders } from "./askProvider.ts";
import { attemptMs, createAttempt, openAttempt, pathAtHost, sealAttempt } from "./attempt.ts";
import { readClaims } from "./claims.ts";
import type { GuardedFetch } from "./discoverProvider.ts";
import { findProvider, isServed, type FoundProvider } from "./findProvider.ts";
import { findUser } from "./findUser.ts";

/** A sign-on that began: where the browser goes, and what it brings back. */
export interface BegunSignOn {
  readonly location: string;
  readonly cookie: string;
  readonly expiresAt: Date;
}

/** A way in that the sign-in page offers. */
export interface SignOnChoice {
  readonly id: string;
  readonly name: unknown;
}

/** Sign-on by the providers of organizations. */
export interface SignOn {
  /** The ways in that the host's settings name, for people who have not signed in. */
  choices(): Promise<readonly SignOnChoice[]>;
  /** @throws {ApiError} SIGN_ON_UNKNOWN, SIGN_ON_PROVIDER_FAILED, CREDENTIALS_TOO_MANY */
  begin(
    configId: string,
    returnTo: string | undefined,
    caller: { readonly address: string },
  ): Promise<BegunSignOn>;
  /**
   * Ends a sign-on: checks what the provider says, writes it to the user, and begins a session in the place of the one
   * that the browser had.
   * `query`: the query of the address to which the provider sent the browser.
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
  /** Has the next call ask the catalog: rights of users changed on this host. */
  forget(): void;
  readonly sessions: Pick<Sessions, "beginFor" | "end">;
  readonly limits: { admit(address: string): void; failed(address: string): void };
  /** The egress of an organization, for its providers. */
  readonly fetchOf: (organizationId: string) => GuardedFetch;
  /** Where browsers reach the host. The address of a call has no part in it. */
  readonly publicUrl: () => string;
  /** Ids of the ssoconfigs that the sign-in page offers. */
  readonly shown: readonly string[];
  readonly log: Pick<Log, "warn">;
  /** Is called for each sign-on that fails. */
  readonly noteRefusal?: NoteRefusal;
  /** Milliseconds since 1970; the clock of tests. */
  readonly now?: () => number;
}

/** Makes the sign-on by providers: nothing is stored before a provider has said who signs on. */
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
      // The rights of the session are read with each call, so those of before the claims do no harm here.
      return sessions.beginFor(principal, { configId, lifeMs }, caller, transaction);
    });

  /** Refuses an answer of a provider that was used before. Its attempt ends soon, and with it the mark. */
  async function useOnce(state: string, transaction: Knex.Transaction): Promise<void> {
    const hash = createHash("sha256").update(state).digest();
    await transaction("sign_on_state")
      .where("ends_at", "<", new Date(now() - attemptMs))
      .delete();
    const { rowCount }: { rowCount: number } = await transaction.raw(
      "insert into sign_on_state (hash, ends_at) values (?, ?) on conflict do nothing",
      [hash, new Date(now() + attemptMs)],
    );
    if (rowCount === 0) throw new ApiError("SIGN_ON_FAILED", ["it was used before"]);
  }

  return {
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
            "it did not begin in this browser, or took too long",
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
