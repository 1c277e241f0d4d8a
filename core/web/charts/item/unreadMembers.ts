/**
 * Members of columns in slots, from package `@luzmo/dashboard-contents-types` 1.0.31, that this version stores but does
 * not read, each with what it would do.
 */
export const unreadMembers = {
  duration: "format numbers as durations",
  include_nonoccurring: "add the values that do not occur",
  periodOverPeriod: "compare with an earlier period",
} as const;
