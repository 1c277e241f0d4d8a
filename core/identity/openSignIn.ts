import type { Records } from "../base/index.ts";
import type {
  Catalog,
  CatalogMemory,
  Cipher,
  Log,
  NoteRefusal,
  ReadAudit,
} from "../catalog/index.ts";
import {
  type Access,
  createPasswordCheck,
  createSessions,
  createSignIn,
  openSignInFailures,
  type Sessions,
  type SignIn,
} from "./access/index.ts";
import { type Account, createAccount } from "./account/index.ts";
import { createEnrolment, createPasskeys, createSecondStep, createWaits } from "./factors/index.ts";
import {
  createScim,
  createSignOn,
  type GuardedFetch,
  type Scim,
  type SignOn,
} from "./signOn/index.ts";

/** How people sign in, and how they manage their second factors and sessions. */
export interface SignInParts {
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly account: Account;
  readonly signOn: SignOn;
  readonly scim: Scim;
  /** Writes the audit events of failed sign-ins that are not written yet. */
  close(): Promise<void>;
}

interface OpenSignInOptions {
  readonly catalog: Catalog;
  readonly cipher: Cipher;
  readonly records: Records;
  readonly access: Access;
  readonly memory: CatalogMemory;
  /** Counts, by address, the calls that fail before their caller is identified. */
  readonly limits: { admit(address: string): void; failed(address: string, cost?: number): void };
  /** Number of wrong passwords for an account after which further attempts must wait; 0 turns waits off. */
  readonly signInTries: number;
  /** Clock for tests, in milliseconds since 1970. */
  readonly now?: () => number;
  readonly noteRefusal: NoteRefusal;
  /** Records who reads which records. Without it, reads are not audited. */
  readonly auditRead: ReadAudit | undefined;
  /** Returns the guarded fetch with which an organization's providers are called. */
  readonly fetchOf: (organizationId: string) => GuardedFetch;
  readonly publicUrl: () => string;
  /** Ids of the ssoconfigs that the sign-in page shows. */
  readonly shownProviders: readonly string[];
  readonly log: Log;
}

/** Opens all ways to sign in: passwords, second factors, sessions, and identity providers. */
export function openSignIn(options: OpenSignInOptions): SignInParts {
  const { catalog, cipher, records, access, memory, limits, noteRefusal, publicUrl, log } = options;
  const failures = openSignInFailures({ records, log });
  const clock = options.now ? { now: options.now } : {};
  const waits = createWaits({ knex: catalog.knex, tries: options.signInTries, ...clock });
  const checkPassword = createPasswordCheck({
    catalog,
    limits,
    waits,
    noteRefusal,
    ...clock,
    onWrong: (people, caller) => failures.note(people, ["password"], caller),
  });
  const passkeys = createPasskeys(publicUrl);
  const factors = { records, knex: catalog.knex, cipher, passkeys, ...clock };
  const secondStep = createSecondStep({ ...factors, knex: catalog.transactions });
  const signing = {
    records,
    checkPassword,
    secondStep,
    failures,
    limits,
    waits,
    noteRefusal,
    ...clock,
  };
  const sessions = createSessions({ ...signing, access });
  const forget = () => {
    access.forget();
    memory.forget();
  };
  return {
    signIn: createSignIn(signing),
    sessions,
    account: createAccount({
      ...factors,
      enrolment: createEnrolment(factors),
      forget: () => access.forget(),
    }),
    signOn: createSignOn({
      noteRefusal,
      records,
      cipher,
      forget,
      sessions,
      limits,
      fetchOf: options.fetchOf,
      publicUrl,
      shown: options.shownProviders,
      log,
    }),
    scim: createScim({ records, forget, publicUrl, noteRefusal, auditRead: options.auditRead }),
    close: () => failures.close(),
  };
}
