import { TOTP, Secret } from "otpauth";
import type { Principal } from "../../../../core/base/contracts/index.ts";
import {
  createEnrolment,
  createPasskeys,
  createSecondStep,
  type Enrolment,
  type SecondStep,
} from "../../../../core/identity/factors/index.ts";
import { createSoftPasskey, type SoftPasskey } from "../../../support/softPasskey.ts";
import { openTokens, type Tokens } from "../access/openTokens.ts";

export const origin = "https://analytics.example.org";

/** The second factors of two hosts that share a catalog and a test clock. */
export interface Factors {
  readonly tokens: Tokens;
  readonly enrolment: Enrolment;
  readonly hosts: readonly [SecondStep, SecondStep];
  /** The time of the test clock, in milliseconds since 1970. */
  nowMs: number;
  caller(person?: Principal): { principal: Principal; requestId: string };
  /** Adds an authenticator app. Returns the recovery codes, and a function that computes the app's codes. */
  addApp(person?: Principal): Promise<{
    id: string;
    secret: string;
    codes: readonly string[];
    codeAt(ms?: number): string;
  }>;
  addPasskey(passkey: SoftPasskey, person?: Principal): Promise<string>;
  /** Removes the factors and waits of all users. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the code that an authenticator app shows for a secret. */
export function codeOf(secret: string, ms: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ms });
}

export async function openFactors(): Promise<Factors> {
  const tokens = await openTokens();
  const { catalog, records, ben } = tokens;
  const clock = { nowMs: Date.UTC(2026, 0, 5, 12) };
  const now = () => clock.nowMs;
  const passkeys = createPasskeys(() => `${origin}/`);
  const options = { knex: catalog.transactions, cipher: catalog.cipher, passkeys, now };
  const enrolment = createEnrolment({ ...options, records });
  const caller: Factors["caller"] = (principal = ben) => ({ principal, requestId: "r" });
  return {
    tokens,
    enrolment,
    hosts: [createSecondStep(options), createSecondStep(options)],
    get nowMs() {
      return clock.nowMs;
    },
    set nowMs(ms) {
      clock.nowMs = ms;
    },
    caller,
    async addApp(person = ben) {
      const { secret, ticket } = enrolment.beginApp(caller(person));
      const codeAt = (ms = clock.nowMs) => codeOf(secret, ms);
      const given = { ticket, name: "Phone", answer: codeAt() };
      const { id, recovery_codes: codes } = await enrolment.addApp(caller(person), given);
      return { id, secret, codes: codes ?? [], codeAt };
    },
    async addPasskey(passkey, person = ben) {
      const { ticket, options } = await enrolment.beginPasskey(caller(person));
      const given = { ticket, name: "Key", answer: passkey.create(options) };
      return (await enrolment.addPasskey(caller(person), given)).id;
    },
    async clear() {
      for (const table of ["second_factor", "recovery_code", "attempt_wait"])
        await catalog.knex(table).delete();
    },
    close: () => tokens.close(),
  };
}

export const createPasskey = (): SoftPasskey => createSoftPasskey(origin);
