// Fair shares by tenant: of threads, of the main thread, and of places in a queue. Pure scheduling without columns.
// May import: nothing.
export type { Waiting } from "./account.ts";
export { FairShares } from "./fairShares.ts";
export { isInBackground, type Tenant } from "./tenant.ts";
export { TimeSlices } from "./timeSlices.ts";
