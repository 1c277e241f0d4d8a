/**
 * The organization and the user for whom work is done. Organizations have equal shares, and the users of an
 * organization share equally in its share.
 */
export interface Tenant {
  readonly organization: string;
  readonly user: string;
  /**
   * True if nobody waits for the work. It then starts only when no other tenant's work waits, and yields to it.
   * @default false
   */
  readonly isBackground?: boolean;
}

/** Returns whether a tenant's work is background work. */
export const isInBackground = ({ isBackground }: Tenant): boolean => isBackground === true;
