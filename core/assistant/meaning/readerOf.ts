import type { Principal } from "../../base/index.ts";
import type { SentKind } from "../createCallModel.ts";

/** What the model receives about the reader: the member of a data block and the kinds of data that it contains. */
interface SentReader {
  readonly member: { readonly reader?: string };
  readonly kinds: readonly SentKind[];
}

/** Returns `iq.context` of the caller's token, which is about the reader. Without it, the model receives nothing. */
export function readerOf({ restriction }: Pick<Principal, "restriction">): SentReader {
  const reader = restriction?.assistantContext;
  return reader === undefined || reader === ""
    ? { member: {}, kinds: [] }
    : { member: { reader }, kinds: ["reader"] };
}
