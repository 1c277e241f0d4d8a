import type { QuotaName } from "./quotaLimits.ts";

/** A limit that an organization passed. */
export interface PassedQuota {
  readonly organizationId: string;
  readonly name: QuotaName;
  readonly limit: "soft" | "hard";
  readonly used: number;
}

/** Notes a limit that was passed. It throws nothing and waits for nothing. */
export type NoteQuota = (passed: PassedQuota) => void;
