import type { KnownDataset } from "../meaning/readDatasets.ts";
import type { CallerOptions } from "./checkQuery.ts";

/** A question in words, and the datasets that may answer it. */
export interface Question extends CallerOptions {
  readonly text: string;
  readonly datasets: readonly KnownDataset[];
  /** Earlier questions of the conversation, oldest first. */
  readonly earlier?: readonly string[];
  /** The item that the question is about. Absent: the question is not about an item. */
  readonly about?: Readonly<Record<string, unknown>> | undefined;
  /** Id of the record that the audit log names. */
  readonly recordId: string;
  /** The resource that was called. */
  readonly resource: string;
  /** Called for each part of the model's reply, which is then streamed. Absent: the reply arrives in one piece. */
  readonly onPart?: (() => void) | undefined;
  /** Whether the caller wants only the item, without a text. */
  readonly isWithoutText?: boolean;
}
