/**
 * The organization and the user for whom work is done. Organizations have equal shares, and the share of an
 * organization is divided equally among its users.
 */
export interface Tenant {
  readonly organization: string;
  readonly user: string;
  /**
   * True if nobody waits for the work. Background work starts only while no other work waits, and yields to work that
   * is not in the background.
   * @default false
   */
  readonly isBackground?: boolean;
}

/** Returns whether a tenant's work is background work. */
export const isInBackground = ({ isBackground }: Tenant): boolean => isBackground === true;
