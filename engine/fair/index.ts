// Fair shares by tenant, of threads, of the main thread and of places. Pure scheduling: no columns, no HTTP.
// May import: nothing.
export { RunQueue } from "./runQueue.ts";
export { isInBackground, type Tenant } from "./tenant.ts";
export { TimeSlices } from "./timeSlices.ts";
