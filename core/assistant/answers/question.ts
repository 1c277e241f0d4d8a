import type { KnownDataset } from "../meaning/readDatasets.ts";
import type { CallerOptions } from "./checkQuery.ts";

/** A question in words, and the datasets that may answer it. */
export interface Question extends CallerOptions {
  readonly text: string;
  readonly datasets: readonly KnownDataset[];
  /** Earlier questions of the conversation, oldest first. */
  readonly earlier?: readonly string[];
  /** The item that the question is about. Absent: none. */
  readonly about?: Readonly<Record<string, unknown>> | undefined;
  /** The record for the audit log. */
  readonly recordId: string;
  /** The resource that was called. */
  readonly resource: string;
  /** Streams the model's replies and is called for each part of them. Absent: replies arrive whole. */
  readonly onPart?: (() => void) | undefined;
  /** Whether only the item is wanted, without a text. */
  readonly isWithoutText?: boolean;
}
