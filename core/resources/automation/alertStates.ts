/** The possible states of an alert's instance. */
export const alertStatuses = ["ok", "pending", "firing", "recovering", "no_data", "error"] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** The kinds of notifications about an instance. */
export const noticeKinds = ["firing", "resolved", "no_data", "error"] as const;
