import type { Credentials, Plugin } from "../../../plugins/protocol/index.ts";

/** A connector with the credentials and the dataset of one table. */
export interface ConnectedSource {
  readonly plugin: Plugin;
  readonly credentials: Credentials;
  readonly datasetId: string;
}
