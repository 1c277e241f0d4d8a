/**
 * The organization and user for whom work is done. Organizations have equal shares, and users equal shares of their
 * organization's.
 */
export interface Tenant {
  readonly organization: string;
  readonly user: string;
  /** Nobody waits for the work: it starts when no other tenant's waits, and yields to it. Absent = no. */
  readonly isBackground?: boolean;
}

/** Returns whether nobody waits for the work of a tenant. */
export const isInBackground = ({ isBackground }: Tenant): boolean => isBackground === true;
