import { openEgress, type Egress, type EgressOptions } from "./egress.ts";
import type { Grant, Grants } from "./grants.ts";

/** The egress rules of the host. Each call uses the rules of the organization that chose its address. */
export interface Egresses {
  /** The rules for addresses in the operator's settings. */
  readonly ofHost: Egress;
  forGrant(grant: Pick<Grant, "hosts">): Egress;
  of(organizationId: string | null | undefined): Promise<Egress>;
  ofUser(userId: string | null | undefined): Promise<Egress>;
  close(): void;
}

export interface EgressesOptions extends Omit<EgressOptions, "allow"> {
  readonly grants: Grants;
}

/** Opens the egress guards. Organizations with equal grants share a guard. */
export function openEgresses({ grants, ...options }: EgressesOptions): Egresses {
  const opened = new Map<string, Egress>();
  const forGrant = ({ hosts }: Pick<Grant, "hosts">): Egress => {
    const key = hosts.join(",");
    const found = opened.get(key) ?? openEgress({ ...options, allow: hosts });
    opened.set(key, found);
    return found;
  };
  return {
    ofHost: forGrant(grants.ofHost),
    forGrant,
    of: async (organizationId) => forGrant(await grants.of(organizationId)),
    ofUser: async (userId) => forGrant(await grants.ofUser(userId)),
    close() {
      for (const egress of opened.values()) egress.close();
    },
  };
}
