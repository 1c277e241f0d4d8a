import type { Credentials, Plugin } from "../../../plugins/protocol/index.ts";

/** A table behind a connector. */
export interface ConnectedSource {
  readonly plugin: Plugin;
  readonly credentials: Credentials;
  readonly datasetId: string;
}
