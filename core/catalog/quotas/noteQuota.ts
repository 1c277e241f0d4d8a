import type { QuotaName } from "./quotaLimits.ts";

/** A limit that an organization exceeded. */
export interface PassedQuota {
  readonly organizationId: string;
  readonly name: QuotaName;
  readonly limit: "soft" | "hard";
  readonly used: number;
}

/** Records that a limit was exceeded. Never throws and never waits. */
export type NoteQuota = (passed: PassedQuota) => void;
