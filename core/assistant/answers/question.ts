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
  /** Id of the dataset, dashboard or conversation. The audit log contains this id. */
  readonly recordId: string;
  /** The API resource that was called, such as `aichart`. The audit log names it. */
  readonly resource: string;
  /**
   * If present, the model's reply is streamed, and this function is called for each part. Absent: the reply arrives in
   * one piece.
   */
  readonly onPart?: (() => void) | undefined;
  /** Whether to return only the item, without text. Absent: the text is returned as well. */
  readonly isWithoutText?: boolean;
}
