import type { Catalog, Cipher, Log } from "../../catalog/index.ts";
import type { Handler, RecordAction, Connections, Records } from "../../base/index.ts";
import { associate } from "./actions/associate.ts";
import { create } from "./actions/create.ts";
import { get } from "./actions/get.ts";
import { remove } from "./actions/remove.ts";
import { update } from "./actions/update.ts";
import { validate } from "./actions/validate.ts";
import type { Declaration } from "./declaration.ts";
import type { KernelCall } from "./kernelCall.ts";

export interface KernelOptions {
  readonly records: Records;
  readonly catalog: Pick<Catalog, "knex">;
  readonly cipher: Cipher;
  readonly connections: Connections;
  readonly log: Log;
  /**
   * Maximum lifetime of new tokens of type api, in days; 0 for no limit.
   *
   * @default 0
   */
  readonly apiTokenDays?: number;
}

/** The actions of every resource, ready to be mounted as handlers. */
export interface Kernel {
  readonly resources: readonly string[];
  readonly handlers: Readonly<Record<string, Readonly<Partial<Record<RecordAction, Handler>>>>>;
  readonly declarations: ReadonlyMap<string, Declaration>;
}

const actions: { readonly [Each in RecordAction]: (call: KernelCall) => Promise<unknown> } = {
  create,
  get,
  update,
  delete: remove,
  associate,
  dissociate: associate,
  validate,
};

/** Creates the actions that each declaration offers. */
export function createKernelOver(
  declarations: ReadonlyMap<string, Declaration>,
  options: KernelOptions,
): Kernel {
  const { records, catalog, cipher, connections, log, apiTokenDays = 0 } = options;
  const context = { knex: catalog.knex, records, connections, log, declarations, apiTokenDays };
  const handlersOf = (declaration: Declaration) =>
    Object.fromEntries(
      declaration.actions.map((action): [RecordAction, Handler] => [
        action,
        (call) => actions[action]({ ...call, action, context, cipher, declaration }),
      ]),
    );
  const handlers: Record<string, Partial<Record<RecordAction, Handler>>> = {};
  for (const [name, declaration] of declarations) handlers[name] = handlersOf(declaration);
  return { resources: [...declarations.keys()], handlers, declarations };
}
