import type { KnownDataset } from "../meaning/readDatasets.ts";
import type { AskedOptions } from "./checkQuery.ts";

/** A question in words, and the datasets that may answer it. */
export interface Question extends AskedOptions {
  readonly text: string;
  readonly datasets: readonly KnownDataset[];
  /** Questions before it in the conversation, oldest first. */
  readonly earlier?: readonly string[];
  /** An item that the question is about. */
  readonly about?: Readonly<Record<string, unknown>> | undefined;
  /** The record that the audit names. */
  readonly recordId: string;
  /** The resource that was called. */
  readonly resource: string;
  /** Has the model's answers streamed. */
  readonly onPart?: (() => void) | undefined;
  /** The item alone is wanted. */
  readonly isWithoutText?: boolean;
}
