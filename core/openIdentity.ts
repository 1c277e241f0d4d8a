import { createReadAudit, openRefusals } from "./catalog/index.ts";
import { createCallLimits } from "./http/index.ts";
import {
  createPrincipals,
  ensureOwner,
  openAccess,
  openSignIn,
  openVisits,
} from "./identity/index.ts";
import { openAct } from "./openAct.ts";
import type { Storage } from "./openStorage.ts";
import { createGuardedFetch } from "./sources/index.ts";
import type { Start } from "./start.ts";

export type Identity = Awaited<ReturnType<typeof openIdentity>>;

/** Opens the second step of a host: authentication, sign-in, and rate limits for callers. */
export function openIdentity(start: Start, storage: Storage) {
  const { config, log, publicUrl, tokenNow } = start;
  const { catalog, cipher, records, memory, egresses } = storage;
  return openAct("identity", start, async (opening) => {
    const madeCredentials = await ensureOwner({ records, key: config.key, token: config.token });
    const refusals = openRefusals({ records, log });
    opening.defer(() => refusals.close());
    const noteRefusal = refusals.note;
    const access = openAccess({
      catalog,
      cipher,
      log,
      noteRefusal,
      ...(tokenNow && { now: tokenNow }),
    });
    opening.defer(() => access.close());
    const visits = openVisits({ catalog, log });
    opening.defer(() => visits.close());
    const limits = createCallLimits(config);
    const auditRead = config.auditReads ? createReadAudit(records) : undefined;
    const fetchOf = (organizationId: string) => createGuardedFetch(egresses, organizationId);
    const signIn = openSignIn({
      catalog,
      cipher,
      records,
      access,
      memory,
      limits,
      signInTries: config.signInTries,
      noteRefusal,
      auditRead,
      fetchOf,
      publicUrl,
      shownProviders: config.signOn,
      log,
    });
    opening.defer(() => signIn.close());
    return {
      madeCredentials,
      noteRefusal,
      access,
      visits,
      limits,
      auditRead,
      fetchOf,
      signIn,
      principals: createPrincipals({ catalog, cipher }),
    };
  });
}
